import { setImmediate } from 'node:timers' // a test may replace the global one by a fake

import type { Budget } from './budget.js'
import type { Work } from './work.js'

/** The time of work in one turn of the event loop, in ms. Node serves sockets between two turns. */
const SLICE_MS = 10

/** The time of the first slice of new work, in ms. Most work completes in it, however much other work is costly. */
const FIRST_SLICE_MS = 1

/**
 * The largest number of tasks that may hold much memory at the same time. 500 sorts of 100,000 items at
 * once would need more than the whole heap, and Node ends a process whose heap is full.
 */
const MAX_LARGE = 4

/** Runs one slice of incomplete work. After the last slice, its promise is settled. */
type Task = (sliceMs: number) => Outcome

/** The state of a task after a slice: settled, or what it needs to continue. */
type Outcome = 'settled' | 'more' | 'large' | Promise<void>

/**
 * Runs the work of all requests of one server in slices. A turn of the event loop runs 10 ms of work:
 * first slices of new work, in which most of it completes, then one slice of one waiting task. In each
 * second turn, the waiting task is the first, beside what has just arrived. So Node serves sockets in
 * between, however many tasks wait. Waiting tasks take turns.
 */
export class Scheduler {
  /** Tasks that had no slice yet, of requests that have used less than a whole one. */
  readonly #fresh: Task[] = []
  /** All other tasks that are incomplete. */
  readonly #waiting: Task[] = []
  /** Tasks that may hold much memory. */
  readonly #large = new Set<Task>()
  /** Tasks that wait until one of the large tasks is settled. */
  readonly #line: Task[] = []
  /** The time that work has taken in this turn of the event loop, in ms. */
  #turnMs = 0
  /** Whether new work has left no time for a waiting task, so that a waiting task is the first in the next turn. */
  #isWaitingFirst = false
  #isTurnScheduled = false

  /**
   * Runs work. It starts at once if no other new work waits, and if both this turn and the request have
   * used less than a slice. Returns the result if the work completes at once, else a promise.
   * @throws BudgetExceeded, and the errors of the work
   */
  run<Result>(work: Work<Result>, budget: Budget): Result | Promise<Result> {
    const leftMs = SLICE_MS - Math.max(this.#turnMs, budget.spentMs)
    let outcome: Outcome | undefined
    if (this.#fresh.length === 0 && leftMs > 0) {
      const start = performance.now()
      try {
        const slice = budget.runSlice(work, Math.min(FIRST_SLICE_MS, leftMs))
        if (slice.isComplete) return slice.result
        outcome = slice.next
      } finally {
        this.#turnMs += performance.now() - start
        this.#scheduleTurn()
      }
    }
    return new Promise((resolve, reject) => {
      const task: Task = (ms) => {
        // The promise of cancelled work is never settled, because no client waits for it.
        if (budget.isCancelled) return 'settled'
        try {
          const slice = budget.runSlice(work, ms)
          if (!slice.isComplete) return slice.next
          resolve(slice.result)
        } catch (error) {
          reject(error)
        }
        return 'settled'
      }
      if (outcome !== undefined) this.#continue(task, outcome)
      else (budget.spentMs < SLICE_MS ? this.#fresh : this.#waiting).push(task)
      this.#scheduleTurn()
    })
  }

  /** Schedules one callback at a time, because all callbacks that setImmediate has queued run in the same turn. */
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
      this.#continue(task, task(Math.min(FIRST_SLICE_MS, end - now)))
    }
    this.#isWaitingFirst = !isWaitingFirst // it has used the turn, so new work is the first in the next one
  }

  #runWaiting(sliceMs: number): void {
    const task = this.#waiting.shift()
    if (task !== undefined) this.#continue(task, task(sliceMs))
  }

  /** Puts a task into the right queue after a slice. */
  #continue(task: Task, outcome: Outcome): void {
    if (typeof outcome === 'object') {
      // A task whose promise was rejected continues, and fails by itself.
      const resume = (): void => {
        this.#waiting.push(task)
        this.#scheduleTurn()
      }
      outcome.then(resume, resume)
      return
    }
    if (outcome === 'large' && this.#large.size === MAX_LARGE && !this.#large.has(task)) {
      this.#line.push(task)
      return
    }
    if (outcome === 'large') this.#large.add(task)
    if (outcome !== 'settled') this.#waiting.push(task)
    else if (this.#large.delete(task) && this.#line.length > 0)
      this.#continue(this.#line.shift()!, 'large')
  }
}
