import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The resource of which a route returns the item that its parameter `id` names. */
    readonly itemOf?: string
  }
}

/**
 * Applies the due transitions of jobs before a handler reads the store. Many large jobs take seconds,
 * so a request for one item that exists does not wait for them.
 */
async function advanceJobs(app: FastifyInstance): Promise<void> {
  app.addHook('preHandler', (request, _reply, done) => {
    const advancing = request.store.jobClock.advance()
    if (advancing === undefined || isItemThere(request)) done()
    else void resume(advancing, done)
  })
}

export default fp(advanceJobs, { name: 'job-clock' })

/**
 * Whether a request is for one item that the store has. A job does not count, because its own
 * transition may be due.
 */
function isItemThere({ routeOptions, params, store }: FastifyRequest): boolean {
  const { itemOf } = routeOptions.config
  if (itemOf === undefined || itemOf === 'jobs') return false
  const { id } = params as { readonly id: string }
  return store.collections.get(itemOf)?.findById(id, () => true) !== undefined
}

/** A hook that is not async costs the other requests no promise. */
async function resume(advancing: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await advancing
    done()
  } catch (error) {
    done(error as Error)
  }
}
