import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { Budget } from '../work/budget.js'
import type { Scheduler } from '../work/scheduler.js'
import { toWork } from '../work/work.js'
import type { Work } from '../work/work.js'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Runs the work of a request in slices, and ends it if the client hangs up. Returns the result
     * if the work completes at once, else a promise.
     */
    runWork<Result>(work: Work<Result>, budget: Budget): Result | Promise<Result>
    /**
     * Runs work that can't be done in parts, such as a write, in a slice of its own: other work does
     * not come between, and one turn of the event loop does not run many of them.
     */
    runStep<Result>(run: () => Result): Result | Promise<Result>
  }
}

/** The options of the run-work plugin. */
export interface RunWorkOptions {
  readonly scheduler: Scheduler
}

/** Decorates replies with `runWork`. */
async function runWork(app: FastifyInstance, { scheduler }: RunWorkOptions): Promise<void> {
  app.decorateReply('runStep', function runStep(run) {
    return this.runWork(toWork(run), new Budget(Infinity))
  })
  app.decorateReply('runWork', function run(work, budget) {
    const result = scheduler.run(work, budget)
    if (result instanceof Promise) this.raw.once('close', () => budget.cancel())
    return result
  })
}

export default fp(runWork, { name: 'run-work' })
