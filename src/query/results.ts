import type { JsonObject } from '../schemas/json.js'
import type { Order, SortKey } from './order.js'
import { Top } from './top.js'

/** What is held of an item; entries are never changed, only replaced. */
export interface Entry {
  readonly item: JsonObject
}

/** Gathers the entries that match, in natural order, to a page. */
export interface Results<Held> {
  /** Takes one more entry; whether no further one can be of the page. */
  add(entry: Held): boolean
  page(): Held[]
}

/** A page in natural order, which is full after `skip + limit` entries. */
export class Natural<Held> implements Results<Held> {
  readonly #page: Held[] = []
  readonly #limit: number
  #skip: number

  constructor(skip: number, limit: number) {
    this.#skip = skip
    this.#limit = limit
  }

  add(entry: Held): boolean {
    if (this.#skip > 0) this.#skip -= 1
    else this.#page.push(entry)
    return this.#page.length >= this.#limit
  }

  page(): Held[] {
    return this.#page
  }
}

/** A sorted page: the best `skip + limit` entries are held, the key of each is taken once. */
export class Sorted<Held extends Entry> implements Results<Held> {
  readonly #order: Order
  readonly #skip: number
  readonly #top: Top<{ readonly key: SortKey; readonly entry: Held }>

  constructor(order: Order, skip: number, limit: number) {
    this.#order = order
    this.#skip = skip
    this.#top = new Top(skip + limit, (a, b) => order.compare(a.key, b.key))
  }

  add(entry: Held): boolean {
    this.#top.add({ key: this.#order.keyOf(entry.item), entry })
    return false
  }

  page(): Held[] {
    return this.#top.takeFrom(this.#skip).map(({ entry }) => entry)
  }
}
