import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Responds with an error to requests that name no sandbox that exists. Registered after the CORS
 * headers, so that a page can read the error, and before all that reads the sandbox.
 */
async function unknownSandbox(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', ({ sandboxError }, _reply, done) => {
    done(sandboxError)
  })
}

export default fp(unknownSandbox, { name: 'unknown-sandbox', dependencies: ['sandbox'] })
