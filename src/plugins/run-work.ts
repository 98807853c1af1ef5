import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { retryTimeouts } from '../query/run-pattern.js'
import { Budget } from '../work/budget.js'
import type { Scheduler } from '../work/scheduler.js'
import type { Work } from '../work/work.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The time for all the work of this request; undefined before its first work. */
    budget: Budget | undefined
    /** Gives the memory of what was made of the body back; `true` once the response has ended. */
    giveBackMemory: (() => void) | true | undefined
    /** Keeps memory until the response has ended. */
    keepMemory(giveBack: () => void): void
    /**
     * Runs work of this request in slices, within its budget. Returns the result if the work
     * completes at once, else a promise. Throws BudgetExceeded, and whatever the work throws.
     */
    runWork<Result>(work: Work<Result>): Result | Promise<Result>
  }

  interface FastifyReply {
    /** Does the same, and ends the work if the client hangs up. */
    runWork<Result>(work: Work<Result>): Result | Promise<Result>
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
  /** The time for all the work of one request, in ms. */
  readonly budgetMs: number
}

/** Decorates requests and replies with `runWork`. */
async function runWork(
  app: FastifyInstance,
  { scheduler, budgetMs }: RunWorkOptions,
): Promise<void> {
  app.decorateRequest('budget', undefined)
  app.decorateRequest('giveBackMemory', undefined)
  app.decorateRequest('keepMemory', function keepMemory(giveBack) {
    if (this.giveBackMemory === true) giveBack()
    else this.giveBackMemory = giveBack
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const { giveBackMemory } = request
    request.giveBackMemory = true
    if (typeof giveBackMemory === 'function') giveBackMemory()
    done()
  })
  app.decorateRequest('runWork', function run(work) {
    this.budget ??= new Budget(budgetMs)
    return scheduler.run(work, this.budget)
  })
  app.decorateReply('runWork', function run(work) {
    const { request, raw } = this
    const result = request.runWork(work)
    if (result instanceof Promise) {
      const cancel = (): void => request.budget?.cancel()
      if (raw.destroyed) cancel()
      else raw.once('close', cancel)
    }
    return result
  })
  app.decorateReply('runStep', function runStep(run) {
    return this.runWork(retryTimeouts(run))
  })
}

export default fp(runWork, { name: 'run-work' })
