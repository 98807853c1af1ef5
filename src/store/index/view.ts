import { LRUCache } from 'lru-cache'

import { Budget, runToEnd } from '@materials-mock/work'
import type { Scheduler, Work } from '@materials-mock/work'
import type { Entry, VisibilityFilter } from '../entry.js'
import { Index } from './index.js'

const MAX_INDEXES = 16

/** The largest number of places of all indexes of a view of all entries. A place takes 16 bytes. */
const MAX_PLACES = 4_000_000

/** An index of at most so many entries is created at once. It takes about a millisecond. */
const MAX_ENTRIES_AT_ONCE = 2000

/** Others are created when they are needed. They share the places of the view of all entries. */
const MAX_VIEWS = 8

/** An entry before and after a write: undefined before an insertion, and after a removal. */
type Write = readonly [former: Entry | undefined, entry: Entry | undefined]

interface Creation {
  readonly budget: Budget
  /** The writes since the creation began, which are repeated on the index. */
  readonly writes: Write[]
}

/**
 * What an account sees, in natural order: no result of a list depends on what it does not see.
 * Indexes are created one at a time, in slices, while queries scan; the last used ones are kept.
 */
export class View {
  readonly #scheduler: Scheduler
  #entries: Entry[]
  /** Whether the array is shared with a reader. If so, a write copies it first. */
  #isShared = false
  readonly #indexes: LRUCache<string, Index>
  #creation: Creation | undefined

  constructor(entries: Entry[], scheduler: Scheduler, maxPlaces: number = MAX_PLACES) {
    this.#entries = entries
    this.#scheduler = scheduler
    this.#indexes = new LRUCache({
      max: MAX_INDEXES,
      maxSize: maxPlaces,
      sizeCalculation: ({ whole }) => Math.max(1, whole.to),
    })
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Returns the entries in an array that no write changes. */
  share(): readonly Entry[] {
    this.#isShared = true
    return this.#entries
  }

  /** Replaces an entry by another one with the same ordinal, inserts one, or removes one. */
  write(former: Entry | undefined, entry: Entry | undefined): void {
    const ordinal = (former ?? entry)?.ordinal
    if (ordinal === undefined) return
    if (this.#isShared) this.#entries = [...this.#entries]
    this.#isShared = false
    const last = this.#entries.at(-1)
    const isLast = last === undefined || last.ordinal < ordinal
    const position = isLast ? this.#entries.length : findPosition(this.#entries, ordinal)
    if (former === undefined) this.#entries.splice(position, 0, entry!)
    else if (entry === undefined) this.#entries.splice(position, 1)
    else this.#entries[position] = entry
    for (const index of this.#indexes.values()) index.write(former, entry)
    this.#creation?.writes.push([former, entry])
  }

  get capacity(): number {
    return Math.min(MAX_INDEXES, Math.floor(this.#indexes.maxSize / (this.#entries.length || 1)))
  }

  /** Whether there is an index of a path, although it may not be usable. */
  hasIndex(path: string): boolean {
    return this.#indexes.has(path)
  }

  /** Returns the index of a path, or undefined if no index can be used yet. */
  findIndex(path: string): Index | undefined {
    if (!this.#indexes.has(path) && this.#creation === undefined) this.#createIndex(path)
    const index = this.#indexes.get(path)
    return index?.isComplete === true ? index : undefined
  }

  cancelCreation(): void {
    this.#creation?.budget.cancel()
    this.#creation = undefined
  }

  #createIndex(path: string): void {
    if (this.#entries.length > this.#indexes.maxSize) return
    if (this.#entries.length <= MAX_ENTRIES_AT_ONCE) {
      this.#indexes.set(path, runToEnd(Index.create(path, this.#entries)))
      return
    }
    // Runs outside every request's budget, because no request waits for an index.
    const creation: Creation = { budget: new Budget(Infinity), writes: [] }
    this.#creation = creation
    const finish = (index: Index): void => {
      if (this.#creation !== creation) return
      this.#creation = undefined
      for (const [former, entry] of creation.writes) index.write(former, entry)
      this.#indexes.set(path, index)
    }
    const index = this.#scheduler.run(Index.create(path, this.share()), creation.budget)
    if (index instanceof Promise) void index.then(finish)
    else finish(index)
  }
}

/** Returns the position of the first entry with this ordinal or a larger one, by binary search. */
function findPosition(entries: readonly Entry[], ordinal: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]!.ordinal < ordinal) low = middle + 1
    else high = middle
  }
  return low
}

export class Views {
  readonly all: View
  readonly #scheduler: Scheduler
  /** The filters of accounts that see all entries. */
  readonly #seeingAll = new Set<VisibilityFilter>()
  readonly #views = new LRUCache<VisibilityFilter, View>({
    max: MAX_VIEWS,
    dispose: (view) => view.cancelCreation(),
  })

  /** @param entries the entries in natural order, in an array that nothing else uses */
  constructor(entries: Entry[], scheduler: Scheduler) {
    this.all = new View(entries, scheduler)
    this.#scheduler = scheduler
  }

  /** Returns views of the same entries, for a state that no write changes. */
  withoutIndexes(): Views {
    return new Views(this.all.share() as Entry[], this.#scheduler)
  }

  /** The view has the entries as they are now, whatever is written meanwhile. */
  *find(isVisible: VisibilityFilter): Work<View> {
    const known = this.#seeingAll.has(isVisible) ? this.all : this.#views.get(isVisible)
    if (known !== undefined) return known
    if (this.all.entries.length <= MAX_ENTRIES_AT_ONCE)
      return this.#add(isVisible, this.all.entries.filter(isVisible))
    const all = this.all.share()
    const visible: Entry[] = []
    for (let start = 0; start < all.length; start += MAX_ENTRIES_AT_ONCE) {
      for (const entry of all.slice(start, start + MAX_ENTRIES_AT_ONCE))
        if (isVisible(entry)) visible.push(entry)
      yield 'scanning items'
    }
    if (this.all.entries === all) return this.#add(isVisible, visible)
    return new View(visible, this.#scheduler, 1) // of the past: without indexes
  }

  #add(isVisible: VisibilityFilter, entries: Entry[]): View {
    if (entries.length === this.all.entries.length) {
      this.#seeingAll.add(isVisible)
      return this.all
    }
    const view = new View(entries, this.#scheduler, MAX_PLACES / MAX_VIEWS)
    this.#views.set(isVisible, view)
    return view
  }

  /** Replaces an entry by another one with the same ordinal, inserts one, or removes one. */
  write(former: Entry | undefined, entry: Entry | undefined): void {
    this.all.write(former, entry)
    for (const isVisible of this.#seeingAll)
      if (entry !== undefined && !isVisible(entry)) this.#seeingAll.delete(isVisible)
    for (const [isVisible, view] of this.#views.entries())
      view.write(onlyIf(isVisible, former), onlyIf(isVisible, entry))
  }

  cancelCreation(): void {
    for (const view of [this.all, ...this.#views.values()]) view.cancelCreation()
  }
}

const onlyIf = (isVisible: VisibilityFilter, entry: Entry | undefined): Entry | undefined =>
  entry !== undefined && isVisible(entry) ? entry : undefined
