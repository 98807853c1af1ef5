import type { Socket } from 'node:net'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { retryTimeouts } from '@materials-mock/query'
import { Budget, waitForResults } from '@materials-mock/work'
import type { Elsewhere, Epoch, Scheduler, Work } from '@materials-mock/work'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Runs work of this request in slices, within its budget; no promise if it completes at once.
     * If the client of a GET hangs up, it is never settled. Throws BudgetExceeded, StateReplaced
     * for a write, and the errors of the work.
     */
    runWork<Result>(work: Work<Result>): Result | Promise<Result>
  }

  interface FastifyReply {
    runWork<Result>(work: Work<Result>): Result | Promise<Result>
    /**
     * Runs what can't be split, such as a write, in its own slice: one turn does not run many
     * writes.
     */
    runStep<Result>(run: () => Result): Result | Promise<Result>
    /** Computes what takes long in one step; undefined where there is only this thread. */
    elsewhere: Elsewhere | undefined
  }
}

export interface RunWorkOptions {
  readonly scheduler: Scheduler
  readonly budgetMs: number
  readonly elsewhere?: Elsewhere | undefined
}

/**
 * Before each slice of a read, checks whether the client still waits. What it writes is written.
 */
class RequestBudget extends Budget {
  readonly #socket: Socket
  readonly #isReading: boolean

  constructor(limitMs: number, { raw }: FastifyRequest, epoch: Epoch | undefined) {
    super(limitMs, epoch)
    this.#isReading = epoch === undefined
    this.#socket = raw.socket
  }

  override get isCancelled(): boolean {
    return this.#isReading && this.#socket.destroyed
  }
}

/** Returns the epoch with which the work of a request ends: none for a request that only reads. */
export const findEpoch = ({ method, epoch }: FastifyRequest): Epoch | undefined =>
  method === 'GET' || method === 'HEAD' ? undefined : epoch

/** Lets the work of a request take any time. It goes on if the client hangs up. */
export function liftBudget(request: FastifyRequest): void {
  request.budget = new Budget(Infinity, findEpoch(request))
}

/** Lets the work of a request that has begun to answer take any time, whatever replaces the state. */
export function answerWhole(request: FastifyRequest): void {
  request.budget = new RequestBudget(Infinity, request, undefined)
}

async function runWork(
  app: FastifyInstance,
  { scheduler, budgetMs, elsewhere }: RunWorkOptions,
): Promise<void> {
  app.decorateRequest('runWork', function run(work) {
    this.budget ??= new RequestBudget(budgetMs, this, findEpoch(this))
    return scheduler.run(work, this.budget)
  })
  app.decorateReply('runWork', function run(work) {
    return this.request.runWork(work)
  })
  app.decorateReply('elsewhere', { getter: () => elsewhere })
  app.decorateReply('runStep', function runStep(run) {
    return this.runWork(waitForResults(run, elsewhere, retryTimeouts))
  })
}

export default fp(runWork, { name: 'run-work' })
