import type { ServerResponse } from 'node:http'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { retryTimeouts } from '../query/run-pattern.js'
import { Budget } from '../work/budget.js'
import type { Scheduler } from '../work/scheduler.js'
import type { Work } from '../work/work.js'
import { onceClosed } from './once-closed.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The time for all the work of this request; undefined before its first work. */
    budget: Budget | undefined
    /** Node's response to this request. */
    response: ServerResponse
    /** Gives back what `keepMemory` keeps. */
    freeMemory: (() => void) | undefined
    /** Keeps memory until `freeMemory` is called, the response is sent, or the client has hung up. */
    keepMemory(giveBack: () => void): void
    /**
     * Runs work of this request in slices, within its budget. Returns the result if the work
     * completes at once, else a promise, which is never settled if the client hangs up: the work ends
     * then. Throws BudgetExceeded, and whatever the work throws.
     */
    runWork<Result>(work: Work<Result>): Result | Promise<Result>
  }

  interface FastifyReply {
    /** Runs work of the request, as its `runWork` does. */
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
  app.decorateRequest('response', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    request.response = reply.raw
    done()
  })
  app.decorateRequest('freeMemory', undefined)
  app.decorateRequest('keepMemory', function keepMemory(giveBack) {
    this.freeMemory = () => {
      this.freeMemory = undefined
      giveBack()
    }
    onceClosed(this.response, () => this.freeMemory?.())
  })
  app.decorateRequest('runWork', function run(work) {
    const budget = (this.budget ??= new Budget(budgetMs))
    const result = scheduler.run(work, budget)
    if (result instanceof Promise) onceClosed(this.response, () => budget.cancel())
    return result
  })
  app.decorateReply('runWork', function run(work) {
    return this.request.runWork(work)
  })
  app.decorateReply('runStep', function runStep(run) {
    return this.runWork(retryTimeouts(run))
  })
}

export default fp(runWork, { name: 'run-work' })
