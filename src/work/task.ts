import type { Budget } from './budget.js'
import type { Work } from './work.js'

/** The parts of a task. */
export interface TaskOptions<Result> {
  readonly work: Work<Result>
  readonly budget: Budget
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** The state of a task after a slice: it is settled, it continues, or it continues with a turn for large work. */
export type Outcome = 'settled' | 'more' | 'large'

/** Incomplete work. It runs slice by slice, and then settles its promise. */
export class Task<Result> {
  readonly #options: TaskOptions<Result>

  constructor(options: TaskOptions<Result>) {
    this.#options = options
  }

  /** Runs one slice. The promise of cancelled work is never settled, because no client waits for it. */
  runSlice(sliceMs: number): Outcome {
    const { work, budget, resolve, reject } = this.#options
    if (budget.isCancelled) return 'settled'
    try {
      const slice = budget.runSlice(work, sliceMs)
      if (!slice.isComplete) return slice.isLarge ? 'large' : 'more'
      resolve(slice.result)
    } catch (error) {
      reject(error)
    }
    return 'settled'
  }
}
