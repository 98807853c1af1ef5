import type { JsonObject } from '../schemas/json.js'
import type { Accepts } from './access.js'
import { Collection } from './collection.js'
import type { Entry, Listing } from './collection.js'
import { jobAt, nextStep, postponed } from './job-status.js'
import type { Plan } from './plan.js'
import type { TextMemory } from './text-memory.js'

/**
 * The jobs: a collection whose items move on by the clock. There is no timer: what is due is done
 * before anything is read, and all that says what is due is in the items.
 */
export class Jobs extends Collection {
  readonly #duration: number
  #due = -Infinity
  #seen = -1

  /** @param duration how long a submitted job waits, and then how long it is active, in ms */
  constructor(items: Iterable<JsonObject>, duration: number, texts?: TextMemory) {
    super('jobs', items, texts)
    this.#duration = duration
  }

  override get version(): number {
    this.advance(Date.now())
    return super.version
  }

  override plan(listing: Pick<Listing, 'selector' | 'order'>): Plan {
    this.advance(Date.now())
    return super.plan(listing)
  }

  override findById(id: string, accepts: Accepts): Entry | undefined {
    this.advance(Date.now())
    return super.findById(id, accepts)
  }

  /** Goes back to what was saved: a job that was on its way is as far as it was then. */
  override restore(saved: readonly Entry[], elapsed = 0): void {
    super.restore(
      saved.map((entry) => {
        const item = postponed(entry.item, elapsed)
        return item === entry.item ? entry : this.toEntry(item, entry.ordinal)
      }),
    )
  }

  /**
   * Moves on all jobs for which it is time. Costs nothing unless there was a write, or one is due.
   * @param now in ms since the epoch
   */
  advance(now: number): void {
    if (now < this.#due && this.#seen === super.version) return
    this.#due = Infinity
    for (const entry of this.save()) {
      const job = jobAt(entry.item, now, this.#duration)
      if (job !== entry.item) this.replace(entry, job)
      this.#due = Math.min(this.#due, nextStep(job, this.#duration))
    }
    this.#seen = super.version
  }
}
