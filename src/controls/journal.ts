import { Collection } from '../store/collection.js'
import { toJournalItem } from './journal-record.js'
import type { RequestRecord } from './journal-record.js'

/** The most bytes of a body that are kept. */
export const MAX_BODY = 64 * 1024

/** The last requests of one server. Taking one down costs little; entries are made when they are read. */
export class Journal {
  /** How many requests are held at most; 0 is for a journal that is off. */
  readonly size: number
  readonly #resources: { has(name: string): boolean }
  #held: (Held | undefined)[] = []
  #count = 0

  /** @param resources the names of what is served, to tell a resource in a path */
  constructor(size: number, resources: { has(name: string): boolean }) {
    this.size = size
    this.#resources = resources
  }

  /** Takes a request down, in the place of the oldest where there are too many. */
  add(facts: RequestRecord): void {
    this.#held[this.#count % this.size] = { number: this.#count + 1, facts }
    this.#count += 1
  }

  /** The entries as a collection, the newest first. */
  read(): Collection {
    const held = this.#held.filter((each) => each !== undefined)
    const newestFirst = held.toSorted((a, b) => b.number - a.number)
    const entries = newestFirst.map(({ number, facts }) =>
      toJournalItem(idOf(number), facts, this.#resources),
    )
    return new Collection('requests', entries)
  }

  /** Forgets all. The numbers go on. */
  clear(): void {
    this.#held = []
  }
}

/** Of one length, so that texts sort as the numbers do: a query may ask for what came after one. */
const idOf = (number: number): string => String(number).padStart(12, '0')

interface Held {
  readonly number: number
  readonly facts: RequestRecord
}
