import type { Lifecycle } from '../domain/jobs/job-lifecycle.js'
import type { Json, JsonObject } from '../json/json.js'
import type { Scheduler } from '../work/scheduler.js'
import type { Work } from '../work/work.js'
import { Collection } from './collection.js'
import type { CollectionState } from './collection.js'
import type { Entry } from './entry.js'
import { sortPositions } from './index/index.js'

/**
 * A collection whose items change with time. There is no timer: `JobClock` applies the due transitions
 * before a read. All state is in the items.
 */
export class TimedCollection extends Collection {
  readonly #lifecycle: Lifecycle
  readonly #scheduler: Scheduler
  /** The time of the next transition of each item that has one, by the item's `_id`. */
  #pending = new Map<string, number>()
  /** Whether a saved state shares the map. If so, a write copies it first. */
  #isPendingShared = false
  /** No transition is due before this time, in ms since the epoch. */
  #nextTransitionAt = Infinity

  constructor(
    resource: string,
    items: Iterable<JsonObject>,
    lifecycle: Lifecycle,
    scheduler: Scheduler,
  ) {
    super(resource, [], scheduler)
    this.#lifecycle = lifecycle
    this.#scheduler = scheduler
    for (const item of items) this.insert(item)
  }

  /** Whether a transition may be due. */
  isDue(now: number): boolean {
    return now >= this.#nextTransitionAt
  }

  /**
   * Returns all entries with a transition that is due, in the order in which they end, and of the list:
   * only an end changes other items.
   */
  *findDue(now: number): Work<Entry[]> {
    if (!this.isDue(now)) return []
    const ids: string[] = []
    let next = Infinity
    for (const [id, at] of this.#pending) {
      if (at <= now) ids.push(id)
      next = Math.min(next, at)
    }
    if (ids.length === 0) this.#nextTransitionAt = next
    const due: Entry[] = []
    const ends: Json[] = []
    for (const id of ids) {
      const entry = this.findById(id, () => true)
      if (entry === undefined) continue
      due.push(entry)
      ends.push([this.#lifecycle.endsAt(entry.item), entry.ordinal])
      yield 'finishing jobs'
    }
    return Array.from(yield* sortPositions(ends), (position) => due[position] as Entry)
  }

  protected override toEntry(item: JsonObject, ordinal: number, former?: Entry): Entry {
    this.#track(item)
    return super.toEntry(item, ordinal, former)
  }

  override remove(entry: Entry): void {
    this.#setPending(entry.item._id as string, Infinity)
    super.remove(entry)
  }

  override save(): CollectionState {
    this.#isPendingShared = true
    return { ...super.save(), pending: this.#pending }
  }

  override restore(saved: CollectionState): void {
    super.restore(saved)
    this.#pending = (saved.pending ?? new Map()) as Map<string, number>
    this.#isPendingShared = saved.pending !== undefined
    this.#nextTransitionAt = -Infinity
    if (saved.pending === undefined) for (const { item } of saved.entries) this.#track(item)
  }

  /**
   * Returns a saved state whose pending transitions are postponed by the elapsed time, in ms. A job that
   * is shown as it was while it ran goes on from there; one that is shown as it was before follows the clock.
   */
  *postpone(saved: CollectionState, elapsed: number): Work<CollectionState> {
    if (elapsed === 0) return saved
    const postponed = new TimedCollection(this.resource, [], this.#lifecycle, this.#scheduler)
    postponed.restore(saved)
    for (const id of postponed.#pending.keys()) {
      const entry = saved.byId.get(id)
      if (entry !== undefined && this.#lifecycle.nextTransitionAt(entry.item) !== Infinity)
        postponed.replace(entry, this.#lifecycle.shiftTimes(entry.item, elapsed))
      yield 'restoring the state'
    }
    return postponed.save()
  }

  #track(item: JsonObject): void {
    this.schedule(item, this.#lifecycle.nextTransitionAt(item))
  }

  /** Sets the time at which an item is due, in place of that of its lifecycle. */
  schedule(item: JsonObject, at: number): void {
    this.#setPending(item._id as string, at)
    this.#nextTransitionAt = Math.min(this.#nextTransitionAt, at)
  }

  /** Sets the time of an item's next transition. Infinity stands for no transition. */
  #setPending(id: string, at: number): void {
    if (at === Infinity && !this.#pending.has(id)) return
    if (this.#isPendingShared) this.#pending = new Map(this.#pending)
    this.#isPendingShared = false
    if (at === Infinity) this.#pending.delete(id)
    else this.#pending.set(id, at)
  }
}
