import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Applies the transitions of jobs that are due before a handler reads the store. */
async function advanceJobs(app: FastifyInstance): Promise<void> {
  app.addHook('preHandler', (request, _reply, done) => {
    const advancing = request.sandbox.store.jobClock.advance()
    if (advancing === undefined) done()
    else void resume(advancing, done)
  })
}

export default fp(advanceJobs, { name: 'job-clock', dependencies: ['sandbox'] })

/** A hook that is not async costs the other requests no promise. */
async function resume(advancing: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await advancing
    done()
  } catch (error) {
    done(error as Error)
  }
}
