import { Collection } from '../store/collection.js'
import { toJournalItem } from './journal-record.js'
import type { RequestRecord } from './journal-record.js'

/** The largest body that is recorded, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024

/** The last requests of one server. Records are converted to items only when they are read. */
export class Journal {
  /** The number of records at most; 0 if the journal is off. */
  readonly capacity: number
  readonly #resources: { has(name: string): boolean }
  /** A ring buffer. */
  #records: (NumberedRecord | undefined)[] = []
  /** The number of requests recorded since the start. */
  #count = 0

  /** @param resources the names of the served resources */
  constructor(capacity: number, resources: { has(name: string): boolean }) {
    this.capacity = capacity
    this.#resources = resources
  }

  /** Records a request. If the journal is full, the record replaces the oldest one. */
  record(record: RequestRecord): void {
    this.#records[this.#count % this.capacity] = { number: this.#count + 1, record }
    this.#count += 1
  }

  /** Returns the items of the journal as a collection, the newest first. */
  toCollection(): Collection {
    const records = this.#records.filter((each) => each !== undefined)
    const newestFirst = records.toSorted((a, b) => b.number - a.number)
    const items = newestFirst.map(({ number, record }) =>
      toJournalItem(formatId(number), record, this.#resources),
    )
    return new Collection('requests', items)
  }

  /** Removes all records. The numbers continue. */
  clear(): void {
    this.#records = []
  }
}

/** All ids have one length, so that they sort as the numbers do, and a query can compare them. */
const formatId = (number: number): string => String(number).padStart(12, '0')

interface NumberedRecord {
  readonly number: number
  readonly record: RequestRecord
}
