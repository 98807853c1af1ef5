import TinyQueue from 'tinyqueue'

import type { JsonObject } from '@materials-mock/json'
import { LARGE_TURN } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import type { CompiledListQuery } from './list-query.js'
import type { SortKey, SortSpec } from './sort/compile-sort.js'

export interface HasItem {
  readonly item: JsonObject
}

/** Collects a page in the order of the entries, which is full after `skip + limit` of them. */
export class NaturalPage<Entry> {
  readonly #page: Entry[] = []
  readonly #limit: number
  #skip: number

  constructor(skip: number, limit: number) {
    this.#skip = skip
    this.#limit = limit
  }

  /** The number of entries that can be added until the page is full. */
  get room(): number {
    return this.#skip + this.#limit - this.#page.length
  }

  add(entry: Entry): void {
    if (this.#skip > 0) this.#skip -= 1
    else this.#page.push(entry)
  }

  /** Returns the page. Call it once, after the last `add`. */
  *take(): Work<Entry[]> {
    yield* []
    return this.#page
  }
}

interface SortedEntry<Entry> {
  readonly key: SortKey
  readonly entry: Entry
  readonly position: number
}

/** The largest number of entries that a small sorted page holds. A page with more entries is large work. */
const MAX_SMALL = 5000

/** @param count the largest number of entries among which the page is found */
export function* waitForSort(
  { sort, skip, limit }: Pick<CompiledListQuery, 'sort' | 'skip' | 'limit'>,
  count: number,
): Work<void> {
  if (sort !== undefined && Math.min(skip + limit, count) > MAX_SMALL) yield LARGE_TURN
}

const STEP_MS = 2

/** Collects a sorted page. It retains only the first `skip + limit` entries in sort order. */
export class SortedPage<Entry extends HasItem> {
  /** The number of entries that can be added until the page is full. */
  readonly room = Infinity
  readonly #sort: SortSpec
  readonly #skip: number
  readonly #end: number
  /** The retained entries, the last of them first. */
  readonly #retained: TinyQueue<SortedEntry<Entry>>
  #count = 0

  constructor(sort: SortSpec, skip: number, limit: number) {
    this.#sort = sort
    this.#skip = skip
    this.#end = skip + limit
    this.#retained = new TinyQueue([], (a, b) => this.#compare(b, a))
  }

  add(entry: Entry): void {
    const added = { key: this.#sort.extractKey(entry.item), entry, position: this.#count }
    this.#count += 1
    const last = this.#retained.peek()
    if (this.#retained.length === this.#end && last !== undefined) {
      if (this.#compare(added, last) > 0) return
      this.#retained.pop()
    }
    this.#retained.push(added)
  }

  /** Returns the page. Call it once, after the last `add`. */
  *take(): Work<Entry[]> {
    const page: Entry[] = []
    let stepEnd = performance.now() + STEP_MS
    while (this.#retained.length > this.#skip) {
      page.push(this.#retained.pop()!.entry)
      if (performance.now() < stepEnd) continue
      yield 'sorting items'
      stepEnd = performance.now() + STEP_MS
    }
    return page.toReversed()
  }

  #compare(a: SortedEntry<Entry>, b: SortedEntry<Entry>): number {
    return this.#sort.compare(a.key, b.key) || a.position - b.position
  }
}
