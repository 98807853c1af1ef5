import { BudgetExceeded } from '../errors.js'
import { runWithTimeout, TimeoutError } from './run-with-timeout.js'

/** The time that the evaluation of one request may take, as the sum of its parts. */
export class Budget {
  readonly #milliseconds: number
  #remaining: number

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#remaining = milliseconds
  }

  /** The remaining time, in ms; below 0 if a part took longer than it should. */
  get remaining(): number {
    return this.#remaining
  }

  /**
   * Runs synchronous work and subtracts its duration.
   * @param needsTimeout whether the work is aborted when the budget is used up; this costs 0.1 ms
   * @throws BudgetExceeded if no time remains, or if the work is aborted
   */
  spend<Result>(work: () => Result, needsTimeout: boolean): Result {
    if (this.#remaining <= 0) throw new BudgetExceeded(this.#milliseconds)
    const start = performance.now()
    try {
      return needsTimeout ? runWithTimeout(work, this.#remaining) : work()
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      this.#remaining = 0 // The timer may fire a little early.
      throw new BudgetExceeded(this.#milliseconds)
    } finally {
      this.#remaining -= performance.now() - start
    }
  }
}
