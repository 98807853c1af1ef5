import type { JsonObject } from '@materials-mock/json'
import { waitForSort } from '@materials-mock/query'
import type { Evaluation } from '@materials-mock/query'
import { isHeapFull } from '@materials-mock/work'
import type { Scheduler, Work } from '@materials-mock/work'
import { areSeenTogether, createEntry } from './entry.js'
import type { Entry, ShownEntries, VisibilityFilter } from './entry.js'
import { createPlan, evaluatePlan } from './index/query-plan.js'
import type { FindOptions } from './index/query-plan.js'
import { Views } from './index/view.js'
import type { View } from './index/view.js'
import { isUnended, rewrite } from './life.js'
import type { Life } from './life.js'

/**
 * The entries of a collection at one time, with data derived from them. A saved state is shared with
 * the collection until the next write, which copies it: saving and restoring take no time.
 */
export interface CollectionState extends ShownEntries {
  /** The entries by `_id`. No write changes this map. */
  readonly byId: Map<string, Entry>
  /** The views of accounts. */
  readonly views: Views
}

/** What follows the writes to a collection. */
export interface CollectionObserver {
  /** An entry was written, and is shown. */
  readonly onWrite: (collection: Collection, entry: Entry) => void
  /** A job was changed or removed before the end of its run, whose results are stored already. */
  readonly onUndone: (jobId: string) => void
  /** All entries were replaced. */
  readonly onRestore: () => void
}

/** The items of one resource in natural order: the order of the fixtures, then of creation. */
export class Collection {
  readonly resource: string
  readonly #scheduler: Scheduler
  #byId = new Map<string, Entry>()
  #hidden: Map<string, Entry> | undefined
  #views: Views
  /** Whether a saved state shares the whole state. If so, a write copies it first. */
  #isStateShared = false
  #version = 0
  /** The largest ordinal of any entry so far. No entry gets the ordinal of a removed entry. */
  #lastOrdinal = -1
  /** The most recently removed entries, by `_id`. */
  readonly #removed = new Map<string, Entry>()
  /** Undefined for a collection that no store has. */
  observer: CollectionObserver | undefined

  /** @param items items with a unique string `_id` each */
  constructor(resource: string, items: Iterable<JsonObject>, scheduler: Scheduler) {
    this.resource = resource
    this.#scheduler = scheduler
    this.#views = new Views([], scheduler)
    for (const item of items) this.insert(item)
  }

  /** The number of items of all accounts. */
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

  /**
   * Returns a page of the visible items that match.
   * @throws ProjectionInvalid for a sort that meets parallel arrays in an item
   * @throws PatternTooCostly for a regular expression that takes too long on one item
   */
  *find(options: FindOptions, isVisible: VisibilityFilter): Work<Entry[]> {
    yield* waitForSort(options, this.size)
    return (yield* evaluatePlan(createPlan(options, this.view(isVisible)), options)).page
  }

  /**
   * Returns the page of `find`, with the number of all visible items that match, or the work that counts them.
   * @throws as `find` does
   */
  *findPage(options: FindOptions, isVisible: VisibilityFilter): Work<Evaluation<Entry>> {
    yield* waitForSort(options, this.size)
    return yield* evaluatePlan(createPlan(options, this.view(isVisible)), options, true)
  }

  /**
   * Returns the view of an account. Everything that depends on the contents of items is evaluated on a
   * view. A write to the collection changes it.
   */
  view(isVisible: VisibilityFilter): View {
    return this.#views.find(isVisible)
  }

  /** Returns the entry with this `_id`, if it is visible. */
  findById(id: string, isVisible: VisibilityFilter): Entry | undefined {
    const entry = this.#byId.get(id)
    return entry !== undefined && isVisible(entry) ? entry : undefined
  }

  /**
   * Adds an item at the end; returns its entry. Its `_id` must be unique.
   * @param life what time does to it
   */
  insert(item: JsonObject, life?: Life): Entry {
    this.#lastOrdinal += 1
    const entry = createEntry(item, this.#lastOrdinal, life)
    this.#write(undefined, entry)
    this.#notify(undefined, entry)
    return entry
  }

  /** Replaces the item of an entry; returns the new entry. */
  replace(former: Entry, item: JsonObject): Entry {
    const entry = rewriteEntry(former, item)
    this.#write(former, entry)
    this.#notify(former, entry)
    return entry
  }

  /** All entries, shown and hidden. A write may change this. */
  get shown(): ShownEntries {
    return { entries: this.entries, hidden: this.#hidden }
  }

  /** Returns the entry with this `_id` as it was written, shown or not. */
  findWritten(id: string): Entry | undefined {
    const entry = this.#byId.get(id) ?? this.#hidden?.get(id)
    return entry?.written ?? entry
  }

  /** Whether time may change an entry. */
  get isTimed(): boolean {
    return this.#hidden !== undefined
  }

  /** Shows a written entry as an item, or not at all. It may be written in place of another with its `_id`. */
  show(written: Entry, item: JsonObject | undefined): void {
    const id = written.item._id as string
    const former = this.#byId.get(id)
    const { item: own, ordinal } = written
    const isKnown = (former?.written ?? former ?? this.#hidden?.get(id)) === written
    if (isKnown && former?.item === item) return
    const derived = item && createEntry(item, ordinal, undefined, written)
    const shown = item === own ? written : derived
    if (former === undefined && shown === undefined) this.#unshare()
    else this.#write(former, shown)
    if (shown === undefined) (this.#hidden ??= new Map()).set(id, written)
  }

  /** Removes the entries that are not shown and meet a condition. */
  removeHidden(isRemoved: (written: Entry) => boolean): void {
    const removed = [...(this.#hidden?.values() ?? [])].filter(isRemoved)
    if (removed.length === 0) return
    this.#unshare()
    for (const { item } of removed) this.#hidden?.delete(item._id as string)
    this.#version += 1
  }

  /**
   * Changes the items of many entries in one step. Indexes follow a limited number of writes. If there
   * are more, the indexes are dropped and created again in the background.
   * @param changed the entries to change, in natural order
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
      const entry = rewriteEntry(former, change(former.item))
      entries[position] = entry
      this.#byId.set(entry.item._id as string, entry)
      this.#notify(former, entry)
    }
    this.#views = new Views(entries, this.#scheduler)
    this.#version += 1
  }

  /**
   * Removes an entry. The most recently removed entries can be put back. None can while the memory is full,
   * so that removals make room.
   */
  remove(entry: Entry): void {
    this.#write(entry, undefined)
    this.#notify(entry, undefined)
    const id = entry.item._id as string
    this.#removed.delete(id)
    this.#removed.set(id, entry)
    const [oldest] = this.#removed.keys()
    if (this.#removed.size > MAX_REMOVED) this.#removed.delete(oldest as string)
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
    const hasOther = this.entries.some(
      (each) => each.item.isDefault === true && areSeenTogether(each.ownerId, ownerId, accountIds),
    )
    const isDefault = item.isDefault === true && !hasOther
    const restored = item.isDefault === true ? { ...item, isDefault } : item
    const entry = rewriteEntry(removed, restored)
    this.#removed.delete(id)
    this.#write(undefined, entry)
    this.#notify(undefined, entry)
    return entry
  }

  /** Returns all entries in natural order, in an array that no write changes. */
  shareEntries(): readonly Entry[] {
    return this.#views.all.share()
  }

  /** Returns the current state, for `restore`. */
  save(): CollectionState {
    this.#isStateShared = true
    return { ...this.shown, byId: this.#byId, views: this.#views }
  }

  /** Restores a saved state. */
  restore({ byId, views, hidden }: CollectionState): void {
    if (!this.#isStateShared) this.#views.cancelCreation()
    this.#byId = byId
    this.#views = views
    this.#hidden = hidden as Map<string, Entry> | undefined
    this.#isStateShared = true
    this.#removed.clear() // whose places are among other entries
    const last = [this.entries.at(-1), ...(hidden?.values() ?? [])]
    for (const entry of last) this.#lastOrdinal = Math.max(this.#lastOrdinal, entry?.ordinal ?? -1)
    this.#version += 1
    this.observer?.onRestore()
  }

  /** Copies the state before a write if a saved state shares it. */
  #unshare(): void {
    if (this.#isStateShared) {
      this.#byId = new Map(this.#byId)
      this.#hidden &&= new Map(this.#hidden)
      this.#views = new Views([...this.entries], this.#scheduler)
    }
    this.#isStateShared = false
  }

  #write(former: Entry | undefined, entry: Entry | undefined): void {
    this.#unshare()
    const id = (entry ?? former)?.item._id as string
    if (entry === undefined) this.#byId.delete(id)
    else this.#byId.set(id, entry)
    this.#hidden?.delete(id)
    if (entry?.life !== undefined || entry?.written !== undefined) this.#hidden ??= new Map()
    this.#views.write(former, entry)
    this.#version += 1
  }

  /** Tells the observer what a request has written. */
  #notify(former: Entry | undefined, entry: Entry | undefined): void {
    if (former !== undefined && isUnended(former))
      this.observer?.onUndone(former.item._id as string)
    if (entry !== undefined) this.observer?.onWrite(this, entry.written ?? entry)
  }
}

/** Returns the entry of an item that is written in place of another one. */
function rewriteEntry(former: Entry, written: JsonObject): Entry {
  const { item, life } = rewrite(former, written)
  const entry = createEntry(item, former.ordinal, life)
  return item === written ? entry : createEntry(written, former.ordinal, undefined, entry)
}

/** The number of removed entries that can be put back: as many as the largest page of a list has. */
const MAX_REMOVED = 500

/** The largest number of writes of one step that indexes follow. An index takes some 0.1 ms for each. */
const MAX_FOLLOWED = 100

/** Creates the state of a collection that has these entries, in natural order. */
export function createCollectionState(
  entries: readonly Entry[],
  scheduler: Scheduler,
): CollectionState {
  const byId = new Map(entries.map((entry) => [entry.item._id as string, entry]))
  const views = new Views(entries as Entry[], scheduler)
  const isTimed = entries.some(({ life, written }) => (life ?? written) !== undefined)
  return { entries, byId, views, hidden: isTimed ? new Map() : undefined }
}
