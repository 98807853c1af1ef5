import type { Budget } from './budget.js'
import { MemoryShares } from './memory-shares.js'
import { Task } from './task.js'
import type { MemoryNeed, Work } from './work.js'

/** The time of work in one turn of the event loop, in ms. Sockets are served between two turns. */
const SLICE_MS = 10

/** A task, whatever its result is. */
type Runnable = Pick<Task<unknown>, 'runSlice'>

/**
 * Runs the work of all requests of one server in slices. A turn of the event loop runs 10 ms of work:
 * new work, which is mostly complete in its first slice, or one slice of one waiting task. So sockets
 * are served in between, however many tasks wait. Waiting tasks take turns.
 */
export class Scheduler {
  readonly #memory: MemoryShares
  /** Tasks that have just arrived. */
  readonly #fresh: Runnable[] = []
  /** Tasks that are not complete after a slice, or that have arrived together with too many others. */
  readonly #waiting: Runnable[] = []
  /** The time that work has taken in this turn of the event loop, in ms. */
  #turnMs = 0
  /** Whether new work has left no time for a waiting task, so that it is the first in the next turn. */
  #isWaitingFirst = false
  #isTurnScheduled = false

  constructor(memory = new MemoryShares()) {
    this.#memory = memory
  }

  /**
   * Runs work: at once if nothing waits, and if this turn and the request have time left, as a request
   * that has had a slice must not have another one in the same turn. Returns its result if it
   * completes at once, else a promise.
   * @throws BudgetExceeded, and whatever the work throws
   */
  run<Result>(work: Work<Result>, budget: Budget): Result | Promise<Result> {
    const sliceMs = SLICE_MS - Math.max(this.#turnMs, budget.spentMs)
    const isIdle = this.#fresh.length + this.#waiting.length === 0
    let tasks = this.#fresh
    let need: MemoryNeed | undefined
    if (isIdle && sliceMs > 0) {
      const start = performance.now()
      try {
        const slice = budget.runSlice(work, sliceMs)
        if (slice.isComplete) return slice.result
        need = slice.need
      } finally {
        this.#turnMs += performance.now() - start
        this.#scheduleTurn()
      }
      tasks = this.#waiting
    }
    return new Promise((resolve, reject) => {
      tasks.push(new Task({ work, budget, memory: this.#memory, need, resolve, reject }))
      this.#scheduleTurn()
    })
  }

  /** One callback at a time: all callbacks that setImmediate has queued run in the same turn. */
  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return
    this.#isTurnScheduled = true
    setImmediate(() => {
      this.#isTurnScheduled = false
      this.#runTurn()
      this.#turnMs = 0
      if (this.#fresh.length + this.#waiting.length > 0) this.#scheduleTurn()
    })
  }

  #runTurn(): void {
    const end = performance.now() + SLICE_MS - this.#turnMs
    const isWaitingFirst = this.#isWaitingFirst
    this.#isWaitingFirst = false
    if (isWaitingFirst) this.#runWaiting(SLICE_MS)
    for (let now = performance.now(); now < end; now = performance.now()) {
      const task = this.#fresh.shift()
      if (task === undefined) return this.#runWaiting(end - now)
      if (!task.runSlice(end - now)) this.#waiting.push(task)
    }
    if (isWaitingFirst) return // it has used the turn, so new work is the first in the next one
    this.#isWaitingFirst = true
    this.#waiting.push(...this.#fresh.splice(0))
  }

  #runWaiting(sliceMs: number): void {
    const task = this.#waiting.shift()
    if (task !== undefined && !task.runSlice(sliceMs)) this.#waiting.push(task)
  }
}
