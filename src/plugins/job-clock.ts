import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { JobClock } from '../store/jobs/job-clock.js'

/** The options of the job-clock plugin. */
export interface JobClockPluginOptions {
  readonly jobClock: JobClock
}

/** Applies the transitions of jobs that are due before a handler reads the store. */
async function advanceJobs(
  app: FastifyInstance,
  { jobClock }: JobClockPluginOptions,
): Promise<void> {
  app.addHook('preHandler', (_request, _reply, done) => {
    const advancing = jobClock.advance()
    if (advancing === undefined) done()
    else void resume(advancing, done)
  })
}

export default fp(advanceJobs, { name: 'job-clock' })

/** A hook that is not async costs the other requests no promise. */
async function resume(advancing: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await advancing
    done()
  } catch (error) {
    done(error as Error)
  }
}
