import type { JsonObject } from '../json/json.js'
import { needPageMemory } from '../query/page.js'
import type { Scheduler } from '../work/scheduler.js'
import type { Work } from '../work/work.js'
import type { CollectionState } from './collection-state.js'
import { createEntry } from './entry.js'
import { EntryMap } from './entry-map.js'
import type { Entry } from './entry.js'
import type { FindOptions } from './find-options.js'
import { Indexes } from './index/indexes.js'
import { createPlan, evaluatePlan } from './index/query-plan.js'
import type { QueryPlan } from './index/query-plan.js'
import { findPosition, removeOrdered } from './natural-order.js'
import { TextArena } from './text-arena.js'
import { ownerIdOf } from './visibility.js'
import type { VisibilityFilter } from './visibility.js'

/** The items of one resource, in natural order: that of the fixtures, then of creation. */
export class Collection {
  readonly resource: string
  readonly #scheduler: Scheduler
  readonly #textArena: TextArena
  #entries: Entry[] = []
  #byId = new EntryMap()
  #indexes: Indexes
  /** Whether somebody reads the array of entries at a later time. If so, a write copies it first. */
  #isArrayShared = false
  /** Whether the whole state is saved. If so, a write copies it first. */
  #isStateShared = false
  /** The owners of all items that are or were in the collection. */
  #ownerIds = new Map<string, string>()
  /** Whether a saved state has the map of owners too. If so, a new owner copies it first. */
  #areOwnersShared = false
  #version = 0

  /** @param items items with a unique string `_id` each */
  constructor(
    resource: string,
    items: Iterable<JsonObject>,
    scheduler: Scheduler,
    textArena = new TextArena(),
  ) {
    this.resource = resource
    this.#scheduler = scheduler
    this.#textArena = textArena
    this.#indexes = new Indexes(scheduler)
    for (const item of items) this.insert(item)
  }

  /** The number of items of all accounts. */
  get size(): number {
    return this.#entries.length
  }

  /** All entries in natural order. A write may change this array. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** A number that changes with every write. */
  get version(): number {
    return this.#version
  }

  /**
   * Returns the page of the visible items that match.
   * @throws ProjectionInvalid for a sort that meets parallel arrays in an item
   * @throws PatternTooCostly for a regular expression that takes too long on one item
   */
  *find(options: FindOptions, isVisible: VisibilityFilter): Work<Entry[]> {
    yield* needPageMemory(options, this.size)
    const filter = this.visibilityFilter(isVisible)
    return yield* evaluatePlan(this.plan(options), options, filter, this.#retain)
  }

  /** Returns the filter to apply to each entry, or undefined if every item is visible. */
  visibilityFilter(isVisible: VisibilityFilter): VisibilityFilter | undefined {
    if (this.#ownerIds.size > MAX_OWNERS || !isVisible({ ownerId: undefined })) return isVisible
    for (const ownerId of this.#ownerIds.keys()) if (!isVisible({ ownerId })) return isVisible
    return undefined
  }

  /** Returns the plan for a list. Starts to create the index that it lacks. */
  plan(options: Pick<FindOptions, 'selector' | 'sort'>): QueryPlan {
    const plan = createPlan(options, this.#entries, this.#indexes)
    if (this.#indexes.isCreating) this.#isArrayShared = true
    return plan
  }

  /** Returns the entry with this `_id`, if it is visible. */
  findById(id: string, isVisible: VisibilityFilter): Entry | undefined {
    const entry = this.#byId.get(id)
    return entry !== undefined && isVisible(entry) ? entry : undefined
  }

  /** Adds an item at the end; returns its entry. Its `_id` must be unique. */
  insert(item: JsonObject): Entry {
    this.#unshare()
    const ordinal = (this.#entries.at(-1)?.ordinal ?? -1) + 1
    const entry = this.toEntry(item, ordinal)
    this.#entries.push(entry)
    this.#byId.set(idOf(item), entry)
    this.#indexes.add(entry)
    this.#version += 1
    return entry
  }

  /** Replaces the item of an entry; returns the new entry. */
  replace(former: Entry, item: JsonObject): Entry {
    this.#unshare()
    const entry = this.toEntry(item, former.ordinal)
    this.#entries[findPosition(this.#entries, former.ordinal)] = entry
    this.#byId.set(idOf(item), entry)
    this.#indexes.remove(former)
    this.#indexes.add(entry)
    this.#version += 1
    return entry
  }

  /** Removes an entry. */
  remove(entry: Entry): void {
    this.#unshare()
    removeOrdered(this.#entries, entry.ordinal)
    this.#byId.delete(idOf(entry.item))
    this.#indexes.remove(entry)
    this.#version += 1
  }

  /** Returns all entries in natural order, in an array that no write changes. */
  shareEntries(): readonly Entry[] {
    this.#isArrayShared = true
    return this.#entries
  }

  /** Returns the state as it is now, to be restored. */
  save(): CollectionState {
    this.#isStateShared = true
    this.#areOwnersShared = true
    return {
      entries: this.#entries,
      byId: this.#byId,
      indexes: this.#indexes,
      ownerIds: this.#ownerIds,
    }
  }

  /** Restores a saved state. */
  restore({ entries, byId, indexes, ownerIds }: CollectionState): void {
    if (!this.#isStateShared) this.#indexes.cancelCreation()
    this.#entries = entries as Entry[]
    this.#byId = byId
    this.#indexes = indexes
    this.#ownerIds = ownerIds as Map<string, string>
    this.#isStateShared = true
    this.#areOwnersShared = true
    this.#version += 1
  }

  protected toEntry(item: JsonObject, ordinal: number): Entry {
    const ownerId = ownerIdOf(item)
    const interned = ownerId === undefined ? undefined : this.#internOwnerId(ownerId)
    return createEntry(item, ordinal, interned, this.#textArena)
  }

  /** Keeps writes from changing the array of entries; returns false for another array. */
  readonly #retain = (entries: readonly Entry[]): boolean => {
    if (entries !== this.#entries) return false
    this.#isArrayShared = true
    return true
  }

  /** Copies before a write what a saved state, or a running evaluation, still reads. */
  #unshare(): void {
    if (this.#isStateShared) {
      this.#byId = this.#byId.copy()
      this.#indexes = new Indexes(this.#scheduler)
    }
    if (this.#isStateShared || this.#isArrayShared) this.#entries = [...this.#entries]
    this.#isStateShared = false
    this.#isArrayShared = false
  }

  /** Returns the one string that all entries of an owner share. */
  #internOwnerId(ownerId: string): string {
    const known = this.#ownerIds.get(ownerId)
    if (known !== undefined) return known
    if (this.#areOwnersShared) this.#ownerIds = new Map(this.#ownerIds)
    this.#areOwnersShared = false
    this.#ownerIds.set(ownerId, ownerId)
    return ownerId
  }
}

/** With more owners than this, filtering entries is cheaper than asking for each owner. */
const MAX_OWNERS = 32

const idOf = (item: JsonObject): string => item._id as string
