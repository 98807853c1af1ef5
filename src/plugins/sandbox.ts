import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { Sandbox } from '../controls/sandbox.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What this request reads and changes. */
    sandbox: Sandbox
  }
}

/** The options of the sandbox plugin. */
export interface SandboxOptions {
  readonly sandbox: Sandbox
}

/** Decorates requests with the sandbox that they are in. Registered before all other hooks. */
async function sandboxOfRequest(app: FastifyInstance, { sandbox }: SandboxOptions): Promise<void> {
  app.decorateRequest('sandbox', null as never)
  app.addHook('onRequest', (request, _reply, done) => {
    request.sandbox = sandbox
    done()
  })
}

export default fp(sandboxOfRequest, { name: 'sandbox' })
