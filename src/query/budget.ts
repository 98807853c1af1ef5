import { BudgetExceeded } from '../errors.js'
import { runWithTimeout, TimeoutError } from './run-with-timeout.js'

/** The milliseconds that the evaluation of one request may take, in all its parts together. */
export class Budget {
  readonly #milliseconds: number
  #left: number

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#left = milliseconds
  }

  /** The milliseconds that are left; below 0 where a part took longer than it should. */
  get left(): number {
    return this.#left
  }

  /**
   * Does a part of the work, and takes off how long it took.
   * @param mayHang whether it has to be ended when nothing is left; that costs 0.1 ms
   * @throws BudgetExceeded
   */
  spend<Result>(work: () => Result, mayHang: boolean): Result {
    if (this.#left <= 0) throw new BudgetExceeded(this.#milliseconds)
    const start = performance.now()
    try {
      return mayHang ? runWithTimeout(work, this.#left) : work()
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      this.#left = 0 // its timer may be early by a little
      throw new BudgetExceeded(this.#milliseconds)
    } finally {
      this.#left -= performance.now() - start
    }
  }
}
