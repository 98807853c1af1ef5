import type { JsonObject } from '@materials-mock/json'
import { waitForSort } from '@materials-mock/query'
import type { Evaluation } from '@materials-mock/query'
import { isHeapFull } from '@materials-mock/work'
import type { Scheduler, Work } from '@materials-mock/work'
import { areSeenTogether, createEntry } from './entry.js'
import type { Entry, VisibilityFilter } from './entry.js'
import { createPlan, evaluatePlan } from './index/query-plan.js'
import type { FindOptions } from './index/query-plan.js'
import { Views } from './index/view.js'
import type { View } from './index/view.js'
import { SharedMap } from './shared-map.js'

/**
 * A saved state is shared until the next write, which copies it: saving and restoring take no time.
 */
export interface CollectionState {
  readonly entries: readonly Entry[]
  /** The entries by `_id`. No write changes this map. */
  readonly byId: SharedMap<Entry>
  /** The entries with `isDefault`, by `_id`. No write changes this map. */
  readonly defaults: SharedMap<Entry>
  readonly views: Views
  /** The `schemaVersion` of the first item that has one. */
  readonly schemaVersion: string | undefined
}

/** Without a former entry after an insertion, without an entry after a removal. */
export type WriteListener = (former: Entry | undefined, entry: Entry | undefined) => void

/** The items of one resource in natural order: the order of the fixtures, then of creation. */
export class Collection {
  readonly resource: string
  readonly #scheduler: Scheduler
  #byId = new SharedMap<Entry>()
  #defaults = new SharedMap<Entry>()
  #views: Views
  #schemaVersion: string | undefined
  /** Whether a saved state shares the whole state. If so, a write copies it first. */
  #isStateShared = false
  #version = 0
  /** The largest ordinal of any entry so far. No entry gets the ordinal of a removed entry. */
  #lastOrdinal = -1
  readonly #removed = new Map<string, Entry>()
  /** Follows the writes; undefined for a collection that no store has. */
  onWrite: WriteListener | undefined

  /** @param items items with a unique string `_id` each */
  constructor(resource: string, items: Iterable<JsonObject>, scheduler: Scheduler) {
    this.resource = resource
    this.#scheduler = scheduler
    this.#views = new Views([], scheduler)
    for (const item of items) this.insert(item)
  }

  get size(): number {
    return this.entries.length
  }

  /** All entries in natural order. A write may change this array. */
  get entries(): readonly Entry[] {
    return this.#views.all.entries
  }

  /** A number that changes with every write. */
  get version(): number {
    return this.#version
  }

  /** @throws ProjectionInvalid for a sort that meets parallel arrays; PatternTooCostly */
  *find(options: FindOptions, isVisible: VisibilityFilter): Work<Entry[]> {
    yield* waitForSort(options, this.size)
    const view = yield* this.view(isVisible)
    return (yield* evaluatePlan(createPlan(options, view), options)).page
  }

  /**
   * With the number of all that match, or the work that counts them.
   * @throws as `find` does
   */
  *findPage(options: FindOptions, isVisible: VisibilityFilter): Work<Evaluation<Entry>> {
    yield* waitForSort(options, this.size)
    const view = yield* this.view(isVisible)
    return yield* evaluatePlan(createPlan(options, view), options, true)
  }

  /** What depends on the contents of items is evaluated on a view. A write changes it. */
  view(isVisible: VisibilityFilter): Work<View> {
    return this.#views.find(isVisible)
  }

  /** Returns the entry with this `_id`, if it is visible. */
  findById(id: string, isVisible: VisibilityFilter): Entry | undefined {
    const entry = this.#byId.get(id)
    return entry !== undefined && isVisible(entry) ? entry : undefined
  }

  /** Returns the entries with `isDefault` that meet a condition, in natural order. */
  listDefaults(isMeant: (entry: Entry) => boolean): Entry[] {
    const meant = this.#defaults.values().filter(isMeant)
    return meant.toSorted((one, other) => one.ordinal - other.ordinal)
  }

  /** Adds an item at the end; returns its entry. Its `_id` must be unique. */
  insert(item: JsonObject): Entry {
    const entry = createEntry(item, this.takeOrdinal())
    this.#write(undefined, entry)
    this.onWrite?.(undefined, entry)
    return entry
  }

  replace(former: Entry, item: JsonObject): Entry {
    const entry = createEntry(item, former.ordinal)
    this.#write(former, entry)
    this.onWrite?.(former, entry)
    return entry
  }

  /** Returns a place behind those of all entries, which no other entry gets. */
  takeOrdinal(): number {
    this.#lastOrdinal += 1
    return this.#lastOrdinal
  }

  /** Stores an entry at its place, instead of the one with its `_id`. Nobody is told. */
  put(entry: Entry): void {
    const former = this.#byId.get(entry.id)
    const isMoved = former !== undefined && former.ordinal !== entry.ordinal
    if (isMoved) this.#write(former, undefined)
    this.#write(isMoved ? undefined : former, entry)
    this.#lastOrdinal = Math.max(this.#lastOrdinal, entry.ordinal)
  }

  /** Removes an entry for good. Nobody is told. */
  drop(entry: Entry): void {
    this.#write(entry, undefined)
  }

  copy(): Collection {
    const copy = new Collection(this.resource, [], this.#scheduler)
    copy.restore({
      entries: this.entries,
      byId: this.#byId.copy(),
      defaults: this.#defaults.copy(),
      views: this.#views.withoutIndexes(),
      schemaVersion: this.#schemaVersion,
    })
    return copy
  }

  /**
   * In one step. Many writes drop the indexes, which are created again in the background.
   * @param changed in natural order
   */
  replaceMany(changed: readonly Entry[], change: (item: JsonObject) => JsonObject): void {
    if (changed.length <= MAX_FOLLOWED) {
      for (const former of changed) this.replace(former, change(former.item))
      return
    }
    this.#unshare()
    this.#views.cancelCreation()
    const entries = [...this.entries]
    let position = 0
    for (const former of changed) {
      while (entries[position] !== former) position += 1
      const entry = createEntry(change(former.item), former.ordinal)
      entries[position] = entry
      this.#keep(entry)
      this.onWrite?.(former, entry)
    }
    this.#views = new Views(entries, this.#scheduler)
    this.#version += 1
  }

  /** The last removed entries can be put back; none while the memory is full. */
  remove(entry: Entry): void {
    this.#write(entry, undefined)
    this.onWrite?.(entry, undefined)
    this.#removed.delete(entry.id)
    this.#removed.set(entry.id, entry)
    const [oldest] = this.#removed.keys()
    if (this.#removed.size > MAX_REMOVED) this.#removed.delete(oldest!)
    if (isHeapFull()) this.forgetRemoved()
  }

  /** Forgets the removed entries, to make room. None of them can be put back. */
  forgetRemoved(): void {
    this.#removed.clear()
  }

  /**
   * Puts a removed item back in its place. The item loses `isDefault` if an account would see two defaults.
   * @param accountIds the `_id`s of the accounts; every account sees the items of all other owners
   * @returns the entry; undefined if no such item was removed, or if its `_id` is in use again
   */
  putBack(id: string, accountIds: ReadonlySet<string>): Entry | undefined {
    const removed = this.#removed.get(id)
    if (removed === undefined || this.#byId.get(id) !== undefined) return undefined
    const { item, ownerId } = removed
    const others = this.listDefaults((each) => areSeenTogether(each.ownerId, ownerId, accountIds))
    const isDefault = item.isDefault === true && others.length === 0
    const restored = item.isDefault === true ? { ...item, isDefault } : item
    const entry = createEntry(restored, removed.ordinal)
    this.#removed.delete(id)
    this.#write(undefined, entry)
    this.onWrite?.(removed, entry)
    return entry
  }

  /** Returns all entries in natural order, in an array that no write changes. */
  shareEntries(): readonly Entry[] {
    return this.#views.all.share()
  }

  save(): CollectionState {
    this.#isStateShared = true
    return {
      entries: this.entries,
      byId: this.#byId,
      defaults: this.#defaults,
      views: this.#views,
      schemaVersion: this.#schemaVersion,
    }
  }

  restore({ byId, defaults, views, schemaVersion }: CollectionState): void {
    if (!this.#isStateShared) this.#views.cancelCreation()
    this.#schemaVersion = schemaVersion
    this.#byId = byId
    this.#defaults = defaults
    this.#views = views
    this.#isStateShared = true
    this.#removed.clear() // whose places are among other entries
    this.#lastOrdinal = Math.max(this.#lastOrdinal, this.entries.at(-1)?.ordinal ?? -1)
    this.#version += 1
  }

  /** Copies the state before a write if a saved state shares it. */
  #unshare(): void {
    if (this.#isStateShared) {
      this.#byId = this.#byId.copy()
      this.#defaults = this.#defaults.copy()
      this.#views = new Views([...this.entries], this.#scheduler)
    }
    this.#isStateShared = false
  }

  #write(former: Entry | undefined, entry: Entry | undefined): void {
    this.#unshare()
    if (entry !== undefined) {
      this.#keep(entry)
    } else if (former !== undefined) {
      this.#byId.delete(former.id)
      this.#defaults.delete(former.id)
    }
    this.#views.write(former, entry)
    this.#version += 1
  }

  #keep(entry: Entry): void {
    this.#byId.set(entry.id, entry)
    if (entry.item.isDefault === true) this.#defaults.set(entry.id, entry)
    else this.#defaults.delete(entry.id)
    this.#schemaVersion ??= findSchemaVersion(entry)
  }
}

const findSchemaVersion = ({ item }: Entry): string | undefined =>
  typeof item.schemaVersion === 'string' ? item.schemaVersion : undefined

/** The number of removed entries that can be put back: as many as the largest page of a list has. */
const MAX_REMOVED = 500

/** The largest number of writes of one step that indexes follow. An index takes some 0.1 ms for each. */
const MAX_FOLLOWED = 100

/** @param entries in natural order, in an array that nothing else changes */
export function* createCollectionState(
  entries: readonly Entry[],
  scheduler: Scheduler,
): Work<CollectionState> {
  const byId = new SharedMap<Entry>()
  const defaults = new SharedMap<Entry>()
  let schemaVersion: string | undefined
  for (const entry of entries) {
    byId.set(entry.id, entry)
    if (entry.item.isDefault === true) defaults.set(entry.id, entry)
    schemaVersion ??= findSchemaVersion(entry)
    yield 'restoring the state'
  }
  return { entries, byId, defaults, views: new Views(entries as Entry[], scheduler), schemaVersion }
}
