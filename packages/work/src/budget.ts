import { BudgetExceeded, StateReplaced } from './errors.js'
import { LARGE_TURN } from './work.js'
import type { Activity, Work } from './work.js'

/** A slice of work: complete, with its result, or incomplete, with what the work then needs. */
export type Slice<Result> =
  | { readonly isComplete: true; readonly result: Result }
  | { readonly isComplete: false; readonly next: 'more' | 'large' | Promise<void> }

/** The time between two replacements of a whole state. Work that began in it writes nothing after it. */
export interface Epoch {
  isOver: boolean
}

/** @throws StateReplaced if an epoch is over */
export function checkEpoch({ isOver }: Epoch): void {
  if (isOver) throw new StateReplaced()
}

/** The time that all the work of one request may take, without the time that it waits. */
export class Budget {
  readonly #limitMs: number
  readonly #epoch: Epoch | undefined
  /** Created with the first step that does not complete the work: most work has one step. */
  #spentMs: Map<Activity, number> | undefined
  #totalMs = 0
  #isCancelled = false

  /**
   * @param limitMs Infinity for work that no request waits for
   * @param epoch ends the work
   */
  constructor(limitMs: number, epoch?: Epoch) {
    this.#limitMs = limitMs
    this.#epoch = epoch
  }

  /** Whether no client waits for the result any longer. */
  get isCancelled(): boolean {
    return this.#isCancelled
  }

  get spentMs(): number {
    return this.#totalMs
  }

  /** Ends the work before its next slice, because its client has hung up. */
  cancel(): void {
    this.#isCancelled = true
  }

  /** @throws BudgetExceeded with the time by activity; StateReplaced if the epoch is over */
  runSlice<Result>(work: Work<Result>, sliceMs: number): Slice<Result> {
    if (this.#epoch !== undefined) checkEpoch(this.#epoch)
    let now = performance.now()
    const deadline = now + Math.min(sliceMs, this.#limitMs - this.#totalMs)
    for (;;) {
      const step = work.next()
      if (step.done === true) {
        this.#totalMs += performance.now() - now
        return { isComplete: true, result: step.value }
      }
      if (step.value === LARGE_TURN) return { isComplete: false, next: 'large' }
      if (typeof step.value === 'object') return { isComplete: false, next: step.value }
      const start = now
      now = performance.now()
      this.#spend(step.value, now - start)
      if (now >= deadline) break
    }
    if (this.#totalMs >= this.#limitMs)
      throw new BudgetExceeded(this.#limitMs, this.#describeSpent())
    return { isComplete: false, next: 'more' }
  }

  #spend(activity: Activity, ms: number): void {
    this.#totalMs += ms
    this.#spentMs ??= new Map()
    this.#spentMs.set(activity, (this.#spentMs.get(activity) ?? 0) + ms)
  }

  #describeSpent(): string {
    return [...(this.#spentMs ?? [])]
      .toSorted(([, a], [, b]) => b - a)
      .map(([activity, ms]) => `${Math.round(ms)} ms ${activity}`)
      .join(', ')
  }
}
