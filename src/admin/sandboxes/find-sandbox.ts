import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import type { Sandbox } from './sandbox.js'
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

/** The options of the sandbox plugin. */
export interface SandboxOptions {
  readonly sandboxes: Sandboxes
}

/** The header that names the sandbox of a request. */
const SANDBOX_HEADER = 'x-mock-sandbox'

/**
 * Decorates requests with the sandbox that their path or their header names. Registered before all
 * hooks that read it.
 */
async function sandboxOfRequest(
  app: FastifyInstance,
  { sandboxes }: SandboxOptions,
): Promise<void> {
  app.decorateRequest('sandbox', null as never)
  app.decorateRequest('sandboxError', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.sandbox = sandboxes.main
    const header = request.headers[SANDBOX_HEADER]?.toString()
    const path = parseSandboxPath(request.originalUrl)
    if (header !== undefined || path !== undefined) assignSandbox(request, sandboxes, header, path)
    done()
  })
}

export default fp(sandboxOfRequest, { name: 'sandbox' })

/**
 * @param header the name of the sandbox in the header
 * @param path the name of the sandbox in the path
 */
function assignSandbox(
  request: FastifyRequest,
  sandboxes: Sandboxes,
  header: string | undefined,
  path: string | undefined,
): void {
  if (request.matchedRoute.config?.isSharedBySandboxes === true) return
  const name = path ?? header ?? ''
  const sandbox = sandboxes.find(name)
  if (header !== undefined && header !== name)
    request.sandboxError = new RequestMalformed(describeConflict(header, name))
  else if (sandbox === undefined) request.sandboxError = new SandboxNotFound(name)
  else request.sandbox = sandbox
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
