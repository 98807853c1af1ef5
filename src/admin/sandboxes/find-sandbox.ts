import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Sandbox } from './sandboxes.js'
import type { Sandboxes } from './sandboxes.js'
import { RequestMalformed, SandboxNotFound } from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { parseSandboxPath } from '../../http/request-target.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What this request reads and changes. */
    sandbox: Sandbox
    /** The error of a request that names no sandbox that exists. */
    sandboxError: CatalogueError | undefined
  }

  interface FastifyContextConfig {
    /** Whether a route is the same in all sandboxes, so that a request may name one that is not there. */
    readonly isSharedBySandboxes?: boolean
  }
}

/** The header that names the sandbox of a request. */
const SANDBOX_HEADER = 'x-mock-sandbox'

/** Returns the function that finds the sandbox of a request, which its path or its header names. */
export function createSandboxFinder(
  app: FastifyInstance,
  sandboxes: Sandboxes,
): (request: FastifyRequest) => void {
  app.decorateRequest('sandbox', null as never)
  app.decorateRequest('sandboxError', undefined)
  return (request) => {
    const header = request.headers[SANDBOX_HEADER]?.toString()
    const path = parseSandboxPath(request.originalUrl)
    const sandbox =
      header === undefined && path === undefined
        ? sandboxes.main
        : findNamed(request, sandboxes, header, path)
    request.sandbox = sandbox
    request.store = sandbox.store
    request.sandboxPath = sandbox.path
  }
}

/**
 * Returns the sandbox with a name. A request whose sandbox is not there gets the one without a name, and
 * an error.
 * @param header the name of the sandbox in the header
 * @param path the name of the sandbox in the path
 */
function findNamed(
  request: FastifyRequest,
  sandboxes: Sandboxes,
  header: string | undefined,
  path: string | undefined,
): Sandbox {
  const { main } = sandboxes
  if (request.routeOptions.config?.isSharedBySandboxes === true) return main
  const name = path ?? header ?? ''
  const sandbox = sandboxes.find(name)
  if (header !== undefined && header !== name) {
    request.sandboxError = new RequestMalformed(describeConflict(header, name))
    return main
  }
  if (sandbox === undefined) request.sandboxError = new SandboxNotFound(name)
  return sandbox ?? main
}

const describeConflict = (header: string, path: string): string =>
  `X-Mock-Sandbox is ${quote(header)}, but the path is that of the sandbox ${quote(path)}; give one of them`

/**
 * Whether a request is in a sandbox that can't be found, so that no journal may have it: one that
 * does not exist, or one that only the request after this CORS preflight names.
 */
export const isSandboxUnknown = ({
  sandboxError,
  method,
  headers,
  sandbox,
}: FastifyRequest): boolean =>
  sandboxError !== undefined ||
  (method === 'OPTIONS' &&
    sandbox.name === undefined &&
    /(?:^|,)\s*x-mock-sandbox\s*(?:,|$)/i.test(
      headers['access-control-request-headers']?.toString() ?? '',
    ))
