import type { JsonObject } from '../json/json.js'
import { evaluate } from '../query/evaluate.js'
import type { CompiledListQuery } from '../query/list-query.js'
import type { HasItem } from '../query/page.js'
import { applyFields } from '../query/projection/apply-fields.js'
import type { Work } from '../work/work.js'
import { BodyRing } from './body-ring.js'
import { toJournalItem } from './journal-record.js'
import type { RequestRecord } from './journal-record.js'
import { toResponseRecord } from './journal-response.js'
import type { SentResponse } from './journal-response.js'

/** The largest body that is recorded, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024

/** A query of the journal. */
export type JournalQuery = CompiledListQuery

/** The last requests of one server. Records are converted to items only when they are read. */
export class Journal {
  /** The number of records at most; 0 if the journal is off. */
  readonly capacity: number
  /** The bodies of the responses. */
  readonly #bodies = new BodyRing()
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

  /** The number of records. */
  get size(): number {
    return this.#records.filter((each) => each !== undefined).length
  }

  /** Records a request. If the journal is full, the record replaces the oldest one. */
  record(record: RequestRecord): void {
    this.#records[this.#count % this.capacity] = { number: this.#count + 1, record }
    this.#count += 1
  }

  /** Adds the response to the record of its request, when it is ready to be sent. */
  recordResponse(record: RequestRecord, response: SentResponse): void {
    record.status = response.status
    record.ms = performance.now() - record.start
    record.response = toResponseRecord(response, this.#bodies)
  }

  /**
   * Returns the items that match, with the fields that are asked for. The newest is the first in
   * natural order.
   * @throws as `evaluate` does
   */
  *find({ fields, ...options }: JournalQuery): Work<JsonObject[]> {
    const records = this.#records.filter((each) => each !== undefined)
    const newestFirst = records.toSorted((a, b) => b.number - a.number)
    const entries: HasItem[] = []
    for (const { number, record } of newestFirst) {
      entries.push({ item: toJournalItem(formatId(number), record, this.#resources, this.#bodies) })
      yield 'reading the journal'
    }
    const items: JsonObject[] = []
    for (const { item } of yield* evaluate(entries, options))
      items.push(yield* applyFields(fields, item))
    return items
  }

  /** Removes all records. The numbers continue. */
  clear(): void {
    this.#records = []
    this.#bodies.clear()
  }
}

/** All ids have one length, so that they sort as the numbers do, and a query can compare them. */
const formatId = (number: number): string => String(number).padStart(12, '0')

interface NumberedRecord {
  readonly number: number
  readonly record: RequestRecord
}
