import type { JsonObject } from '../json/json.js'
import type { SortKey, SortSpec } from './sort/sort-spec.js'
import { TopK } from './sort/top-k.js'

/** An object with an item, such as an entry of a collection. */
export interface HasItem {
  readonly item: JsonObject
}

/** Collects the entries of one page. */
export interface PageCollector<Entry> {
  /** Adds the next matching entry; returns whether the page is full. */
  add(entry: Entry): boolean
  /** Returns the page. Call it once, after the last `add`. */
  page(): Entry[]
}

/** Collects a page in natural order, which is full after `skip + limit` entries. */
export class NaturalPage<Entry> implements PageCollector<Entry> {
  readonly #page: Entry[] = []
  readonly #limit: number
  #skip: number

  constructor(skip: number, limit: number) {
    this.#skip = skip
    this.#limit = limit
  }

  add(entry: Entry): boolean {
    if (this.#skip > 0) this.#skip -= 1
    else this.#page.push(entry)
    return this.#page.length >= this.#limit
  }

  page(): Entry[] {
    return this.#page
  }
}

/** Collects a sorted page. It retains only the first `skip + limit` entries in sort order. */
export class SortedPage<Entry extends HasItem> implements PageCollector<Entry> {
  readonly #sort: SortSpec
  readonly #skip: number
  readonly #top: TopK<{ readonly key: SortKey; readonly entry: Entry }>

  constructor(sort: SortSpec, skip: number, limit: number) {
    this.#sort = sort
    this.#skip = skip
    this.#top = new TopK(skip + limit, (a, b) => sort.compare(a.key, b.key))
  }

  add(entry: Entry): boolean {
    this.#top.add({ key: this.#sort.extractKey(entry.item), entry })
    return false
  }

  page(): Entry[] {
    return this.#top.takeFrom(this.#skip).map(({ entry }) => entry)
  }
}
