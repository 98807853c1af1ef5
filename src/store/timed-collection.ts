import type { Lifecycle } from '../domain/lifecycle.js'
import type { JsonObject } from '../json/json.js'
import { Collection } from './collection.js'
import type { Scheduler } from '../work/scheduler.js'
import type { CollectionState } from './collection-state.js'
import type { Entry } from './entry.js'
import type { FindOptions } from './find-options.js'
import type { QueryPlan } from './index/query-plan.js'
import type { TextArena } from './text-arena.js'
import type { VisibilityFilter } from './visibility.js'

/**
 * A collection whose items change with time. There is no timer: each read first applies the
 * transitions that are due. All state is in the items.
 */
export class TimedCollection extends Collection {
  readonly #lifecycle: Lifecycle
  /** The time of the next transition of any item, in ms since the epoch. */
  #nextTransitionAt = -Infinity
  /** The version of the collection for which that time was computed. */
  #computedVersion = -1

  constructor(
    resource: string,
    items: Iterable<JsonObject>,
    lifecycle: Lifecycle,
    scheduler: Scheduler,
    textArena?: TextArena,
  ) {
    super(resource, items, scheduler, textArena)
    this.#lifecycle = lifecycle
  }

  override plan(options: Pick<FindOptions, 'selector' | 'sort'>): QueryPlan {
    this.advance(Date.now())
    return super.plan(options)
  }

  override findById(id: string, isVisible: VisibilityFilter): Entry | undefined {
    this.advance(Date.now())
    return super.findById(id, isVisible)
  }

  override shareEntries(): readonly Entry[] {
    this.advance(Date.now())
    return super.shareEntries()
  }

  /** Restores a saved state. Pending transitions are postponed by the elapsed time. */
  override restore(saved: CollectionState, elapsed = 0): void {
    super.restore(saved)
    if (elapsed === 0) return
    for (const entry of saved.entries) {
      const item = this.#lifecycle.shiftTimes(entry.item, elapsed)
      if (item !== entry.item) this.replace(entry, item)
    }
  }

  /**
   * Applies the transitions that are due. Costs nothing unless one is due or something was written.
   * @param now in ms since the epoch
   */
  advance(now: number): void {
    if (now < this.#nextTransitionAt && this.#computedVersion === this.version) return
    this.#nextTransitionAt = Infinity
    for (const entry of this.entries) {
      const item = this.#lifecycle.advance(entry.item, now)
      if (item !== entry.item) this.replace(entry, item)
      const next = this.#lifecycle.nextTransitionAt(item)
      this.#nextTransitionAt = Math.min(this.#nextTransitionAt, next)
    }
    this.#computedVersion = this.version
  }
}
