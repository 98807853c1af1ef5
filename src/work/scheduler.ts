import type { Budget } from './budget.js'
import type { Work } from './work.js'

/** The time of work in one turn of the event loop, in ms. Sockets are served between two turns. */
const SLICE_MS = 10

interface Task {
  /** Runs one slice; returns whether the task is settled. */
  readonly runSlice: () => boolean
}

/**
 * Runs the work of all requests of one server in slices. A turn of the event loop runs new work for
 * at most 10 ms, and one slice of one waiting task: so sockets are served in between, however many
 * tasks wait. Waiting tasks take turns.
 */
export class Scheduler {
  readonly #waiting: Task[] = []
  /** The time that new work has taken in this turn of the event loop, in ms. */
  #turnMs = 0
  #isTurnScheduled = false

  /**
   * Runs work. Returns its result if it completes at once, else a promise.
   * @throws BudgetExceeded, and whatever the work throws
   */
  run<Result>(work: Work<Result>, budget: Budget): Result | Promise<Result> {
    if (this.#turnMs < SLICE_MS) {
      const start = performance.now()
      try {
        const slice = budget.runSlice(work, SLICE_MS - this.#turnMs)
        if (slice.isComplete) return slice.result
      } finally {
        this.#turnMs += performance.now() - start
        this.#scheduleTurn()
      }
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ runSlice: () => settle(work, budget, resolve, reject) })
      this.#scheduleTurn()
    })
  }

  /** One callback at a time: all callbacks that setImmediate has queued run in the same turn. */
  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return
    this.#isTurnScheduled = true
    setImmediate(() => {
      this.#isTurnScheduled = false
      this.#turnMs = 0
      const task = this.#waiting.shift()
      if (task === undefined) return
      if (!task.runSlice()) this.#waiting.push(task)
      if (this.#waiting.length > 0) this.#scheduleTurn()
    })
  }
}

/**
 * Runs one slice. Settles the promise if that completes the work, or if it fails. The promise of
 * cancelled work is never settled, as nobody waits for it.
 */
function settle<Result>(
  work: Work<Result>,
  budget: Budget,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): boolean {
  if (budget.isCancelled) return true
  try {
    const slice = budget.runSlice(work, SLICE_MS)
    if (slice.isComplete) resolve(slice.result)
    return slice.isComplete
  } catch (error) {
    reject(error)
    return true
  }
}
