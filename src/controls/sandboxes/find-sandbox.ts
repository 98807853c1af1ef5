import type { FastifyRequest } from 'fastify'

import { quote } from '@materials-mock/json'
import { RequestMalformed, SandboxNotFound } from '../../errors.js'
import { parseSandboxPath } from '../../http/request-target.js'
import type { Sandbox } from './sandbox.js'
import type { Sandboxes } from './sandboxes.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route is the same in all sandboxes, so that a request may name an unknown sandbox. */
    readonly isSharedBySandboxes?: boolean
  }
}

const SANDBOX_HEADER = 'x-mock-sandbox'

export function createSandboxFinder(sandboxes: Sandboxes): (request: FastifyRequest) => void {
  return (request) => {
    const header = request.headers[SANDBOX_HEADER]?.toString()
    const path = parseSandboxPath(request.url, request.originalUrl)
    const sandbox =
      header === undefined && path === undefined
        ? sandboxes.main
        : findNamed(request, sandboxes, header, path)
    request.namedSandbox = sandbox
    const { replacesState = false } = request.routeConfig
    request.epoch = replacesState ? { isOver: false } : sandbox.store.epoch
  }
}

/** For an unknown name, returns the main sandbox and an error. */
function findNamed(
  request: FastifyRequest,
  sandboxes: Sandboxes,
  header: string | undefined,
  path: string | undefined,
): Sandbox {
  const { main } = sandboxes
  if (request.routeConfig.isSharedBySandboxes === true) return main
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
  `X-Mock-Sandbox is ${quote(header)}, but the path is in the sandbox ${quote(path)}; give one of them`
