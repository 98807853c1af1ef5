import { Budget } from '../../work/budget.js'
import type { Scheduler } from '../../work/scheduler.js'
import { runToEnd } from '../../work/work.js'
import type { Entry, VisibilityFilter } from '../entry.js'
import { Index } from './index.js'

/** The largest number of indexes of one view. */
const MAX_INDEXES = 16

/**
 * The largest number of places of all indexes of one view, and of the views of accounts together. A place
 * takes 16 bytes.
 */
const MAX_PLACES = 4_000_000

/** An index is replaced by an index that is used more than this many times as often, and more than once. */
const REPLACE_FACTOR = 2

/** An index of at most so many entries is created at once. It takes about a millisecond. */
const MAX_ENTRIES_AT_ONCE = 2000

/** After so many uses, old uses count half. */
const AGING_PERIOD = 1000

/** The largest number of paths whose uses are counted. */
const MAX_COUNTED = 1000

/** The number of writes during the creation of an index after which the creation is cancelled. */
const MAX_LOGGED_WRITES = 1000

/**
 * The largest number of accounts whose views are kept. The view of another account is created when it
 * is needed.
 */
const MAX_VIEWS = 16

/** An entry before and after a write: undefined before an insertion, and after a removal. */
type Write = readonly [former: Entry | undefined, entry: Entry | undefined]

/** An index that is being created. */
interface Creation {
  readonly budget: Budget
  /** The writes since the creation began, which are repeated on the index. */
  readonly writes: Write[]
}

/**
 * The entries of a collection that an account sees, in natural order, and their indexes. Lists are
 * evaluated on a view, so that no result depends on an item that the account does not see.
 *
 * Indexes are created one at a time, in slices, while queries scan. An index stays as long as it is
 * among the most used: queries on new paths do not replace an index in use, however many they are.
 */
export class View {
  readonly #scheduler: Scheduler
  #entries: Entry[]
  /** Whether the array is shared with a reader. If so, a write copies it first. */
  #isShared = false
  readonly #indexes = new Map<string, Index>()
  #uses = new Map<string, number>()
  #useCount = 0
  #creation: Creation | undefined

  /** @param entries the entries in natural order, in an array that nothing else uses */
  constructor(entries: Entry[], scheduler: Scheduler) {
    this.#entries = entries
    this.#scheduler = scheduler
  }

  /** The entries in natural order. A write may change this array. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** The number of places of all indexes. */
  get places(): number {
    return this.#indexes.size * this.#entries.length
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
    if (former === undefined) this.#entries.splice(position, 0, entry as Entry)
    else if (entry === undefined) this.#entries.splice(position, 1)
    else this.#entries[position] = entry
    for (const index of this.#indexes.values()) index.write(former, entry)
    this.#creation?.writes.push([former, entry])
    if (this.#creation !== undefined && this.#creation.writes.length > MAX_LOGGED_WRITES)
      this.cancelCreation()
  }

  /** Returns the index of a path, or undefined if no index can be used yet. Counts the use. */
  findIndex(path: string): Index | undefined {
    this.#countUse(path)
    if (!this.#indexes.has(path) && this.#creation === undefined && this.#makeRoom(path))
      this.#createIndex(path)
    const index = this.#indexes.get(path)
    return index?.isComplete === true ? index : undefined
  }

  /** Cancels the creation of an index, if there is one. */
  cancelCreation(): void {
    this.#creation?.budget.cancel()
    this.#creation = undefined
  }

  /** Drops all indexes, which are created again when they are used. */
  dropIndexes(): void {
    this.cancelCreation()
    this.#indexes.clear()
  }

  #createIndex(path: string): void {
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

  #countUse(path: string): void {
    this.#uses.set(path, (this.#uses.get(path) ?? 0) + 1)
    this.#useCount += 1
    if (this.#useCount < AGING_PERIOD && this.#uses.size <= MAX_COUNTED) return
    this.#useCount = 0
    this.#uses = new Map(
      [...this.#uses].flatMap(([each, uses]) => (uses > 1 ? [[each, uses / 2] as const] : [])),
    )
  }

  /** Drops the least used index if there are too many. Returns whether there is room for the index of a path. */
  #makeRoom(path: string): boolean {
    const maxIndexes = Math.min(MAX_INDEXES, Math.floor(MAX_PLACES / this.#entries.length))
    if (this.#indexes.size < maxIndexes) return true
    if (this.#indexes.size === 0) return false
    const usesOf = (each: string): number => this.#uses.get(each) ?? 0
    const least = [...this.#indexes.keys()].reduce((a, b) => (usesOf(b) < usesOf(a) ? b : a))
    if (usesOf(path) <= 1 + REPLACE_FACTOR * usesOf(least)) return false
    this.#indexes.delete(least)
    return true
  }
}

/** Returns the position of the first entry with this ordinal or a larger one, by binary search. */
function findPosition(entries: readonly Entry[], ordinal: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Entry).ordinal < ordinal) low = middle + 1
    else high = middle
  }
  return low
}

/** The views of a collection: a view of all entries, and a view for each account that does not see all entries. */
export class Views {
  readonly all: View
  readonly #scheduler: Scheduler
  readonly #maxPlaces: number
  /** The views of accounts. The most recently used view is the last. */
  readonly #views = new Map<VisibilityFilter, View>()

  /**
   * @param entries the entries in natural order, in an array that nothing else uses
   * @param maxPlaces the largest number of places of all indexes of the views of accounts
   */
  constructor(entries: Entry[], scheduler: Scheduler, maxPlaces: number = MAX_PLACES) {
    this.all = new View(entries, scheduler)
    this.#scheduler = scheduler
    this.#maxPlaces = maxPlaces
  }

  /** Returns the view of the entries that pass a filter. */
  find(isVisible: VisibilityFilter): View {
    const view =
      this.#views.get(isVisible) ?? new View(this.all.entries.filter(isVisible), this.#scheduler)
    this.#views.delete(isVisible)
    this.#views.set(isVisible, view)
    const [oldest] = this.#views
    if (this.#views.size > MAX_VIEWS && oldest !== undefined) {
      oldest[1].cancelCreation()
      this.#views.delete(oldest[0])
    }
    this.#boundPlaces(view)
    return view
  }

  /** Drops the indexes of the least recently used views if there are too many places, but none of `used`. */
  #boundPlaces(used: View): void {
    let places = 0
    for (const each of this.#views.values()) places += each.places
    for (const each of this.#views.values()) {
      if (each === used || places <= this.#maxPlaces) return
      places -= each.places
      each.dropIndexes()
    }
  }

  /** Replaces an entry by another one with the same ordinal, inserts one, or removes one. */
  write(former: Entry | undefined, entry: Entry | undefined): void {
    this.all.write(former, entry)
    for (const [isVisible, view] of this.#views)
      view.write(onlyIf(isVisible, former), onlyIf(isVisible, entry))
  }

  /** Cancels the creation of indexes. */
  cancelCreation(): void {
    for (const view of [this.all, ...this.#views.values()]) view.cancelCreation()
  }
}

const onlyIf = (isVisible: VisibilityFilter, entry: Entry | undefined): Entry | undefined =>
  entry !== undefined && isVisible(entry) ? entry : undefined
