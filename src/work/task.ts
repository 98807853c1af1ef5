import type { Budget } from './budget.js'
import type { MemoryShares } from './memory-shares.js'
import type { MemoryNeed, Work } from './work.js'

/** The parts of a task. */
export interface TaskOptions<Result> {
  readonly work: Work<Result>
  readonly budget: Budget
  readonly memory: MemoryShares
  /** The memory that it needs before its next slice, if it needs much. */
  readonly need: MemoryNeed | undefined
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Work that is not complete. It runs slice by slice, and then settles its promise. */
export class Task<Result> {
  readonly #options: TaskOptions<Result>
  #need: MemoryNeed | undefined
  /** The memory that it holds, in bytes, and who keeps it when the task ends. */
  #held = 0
  #keep: MemoryNeed['keep']

  constructor(options: TaskOptions<Result>) {
    this.#options = options
    this.#need = options.need
  }

  /**
   * Runs one slice, if there is the memory for it. Returns whether the task is settled. The promise
   * of cancelled work is never settled, as nobody waits for it.
   */
  runSlice(sliceMs: number): boolean {
    const { work, budget, resolve, reject } = this.#options
    if (budget.isCancelled) return this.#end()
    if (!this.#takeMemory()) return false
    try {
      const slice = budget.runSlice(work, sliceMs)
      if (!slice.isComplete) {
        this.#need = slice.need
        return false
      }
      resolve(slice.result)
    } catch (error) {
      reject(error)
    }
    return this.#end()
  }

  /** A task that holds memory does not wait for more: two could wait for each other. */
  #takeMemory(): boolean {
    if (this.#need === undefined || this.#held > 0) return true
    const taken = this.#options.memory.take(this, this.#need.bytes)
    if (taken === undefined) return false
    this.#held = taken
    this.#keep = this.#need.keep
    this.#need = undefined
    return true
  }

  #end(): true {
    const giveBack = (): void => this.#options.memory.giveBack(this, this.#held)
    if (this.#keep === undefined) giveBack()
    else this.#keep(giveBack)
    return true
  }
}
