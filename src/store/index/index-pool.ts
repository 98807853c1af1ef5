import { Budget } from '../../work/budget.js'
import type { Scheduler } from '../../work/scheduler.js'
import { runToEnd } from '../../work/work.js'
import type { Work } from '../../work/work.js'
import type { Entry } from '../entry.js'

/** An index that follows the writes to its collection. */
export interface UpdatableIndex {
  add(entry: Entry): void
  remove(entry: Entry): void
}

/** The number of indexes of one collection. */
const MAX_INDEXES = 32

/** An index is replaced by one that is used more than this many times as often, and not only once. */
const REPLACE_FACTOR = 2

/** An index of so few entries is created at once: it takes about a millisecond. */
const MAX_ENTRIES_AT_ONCE = 2000

/** After so many uses, old uses count half. */
const AGING_PERIOD = 1000

/** The number of keys whose uses are counted. */
const MAX_COUNTED = 1000

/** The number of writes during the creation of an index after which it is given up. */
const MAX_LOGGED_WRITES = 1000

/** An index that is being created. */
interface Creation {
  readonly budget: Budget
  /** The writes since the creation began, to be repeated on the index. */
  readonly writes: { readonly add: boolean; readonly entry: Entry }[]
}

/**
 * The indexes of one collection, by a key. They are created one at a time, in slices, while queries
 * scan. An index stays as long as it is among the most used: a query with many new paths, or any
 * number of such queries, makes no index that is in use go.
 */
export class IndexPool<Index extends UpdatableIndex> {
  readonly #scheduler: Scheduler
  readonly #indexes = new Map<string, Index>()
  #uses = new Map<string, number>()
  #useCount = 0
  #creation: Creation | undefined

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /**
   * Returns an index, or undefined if there is none yet. Counts the use.
   * @param create creates the index of the entries
   */
  get(
    key: string,
    entries: readonly Entry[],
    create: (entries: readonly Entry[]) => Work<Index>,
  ): Index | undefined {
    this.#countUse(key)
    const index = this.#indexes.get(key)
    if (index !== undefined || this.#creation !== undefined || !this.#makeRoom(key)) return index
    if (entries.length <= MAX_ENTRIES_AT_ONCE) this.#indexes.set(key, runToEnd(create(entries)))
    else this.#create(key, create(entries))
    return this.#indexes.get(key)
  }

  add(entry: Entry): void {
    for (const index of this.#indexes.values()) index.add(entry)
    this.#log({ add: true, entry })
  }

  remove(entry: Entry): void {
    for (const index of this.#indexes.values()) index.remove(entry)
    this.#log({ add: false, entry })
  }

  /** Whether an index is being created: until then, nobody may change the array it is made of. */
  get isCreating(): boolean {
    return this.#creation !== undefined
  }

  /** Gives up the index that is being created, if there is one. */
  cancelCreation(): void {
    this.#creation?.budget.cancel()
    this.#creation = undefined
  }

  #create(key: string, work: Work<Index>): void {
    // No request has to wait for an index, so none has to pay for it.
    const creation: Creation = { budget: new Budget(Infinity), writes: [] }
    this.#creation = creation
    const finish = (index: Index): void => {
      if (this.#creation !== creation) return
      this.#creation = undefined
      for (const { add, entry } of creation.writes) {
        if (add) index.add(entry)
        else index.remove(entry)
      }
      this.#indexes.set(key, index)
    }
    const index = this.#scheduler.run(work, creation.budget)
    if (index instanceof Promise) void index.then(finish)
    else finish(index)
  }

  #log(write: Creation['writes'][number]): void {
    if (this.#creation === undefined) return
    this.#creation.writes.push(write)
    if (this.#creation.writes.length > MAX_LOGGED_WRITES) this.cancelCreation()
  }

  #countUse(key: string): void {
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
    this.#useCount += 1
    if (this.#useCount < AGING_PERIOD && this.#uses.size <= MAX_COUNTED) return
    this.#useCount = 0
    this.#uses = new Map(
      [...this.#uses].flatMap(([each, uses]) => (uses > 1 ? [[each, uses / 2] as const] : [])),
    )
  }

  /** Drops the least used index if there are too many; returns whether there is room then. */
  #makeRoom(key: string): boolean {
    if (this.#indexes.size < MAX_INDEXES) return true
    const usesOf = (each: string): number => this.#uses.get(each) ?? 0
    const least = [...this.#indexes.keys()].reduce((a, b) => (usesOf(b) < usesOf(a) ? b : a))
    if (usesOf(key) <= 1 + REPLACE_FACTOR * usesOf(least)) return false
    this.#indexes.delete(least)
    return true
  }
}
