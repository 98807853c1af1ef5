import { InputPath } from '../../json/input-path.js'
import type { JsonObject } from '../../json/json.js'
import { evaluate } from '../../query/evaluate.js'
import type { CompiledListQuery } from '../../query/list-query.js'
import type { HasItem } from '../../query/page.js'
import { applyFields } from '../../query/projection/apply-fields.js'
import type { Store } from '../../store/store.js'
import { needMemory } from '../../work/work.js'
import type { Work } from '../../work/work.js'
import { BodyRing } from './body-ring.js'
import type { EventLog } from '../event-log.js'
import { toJournalItem } from './journal-record.js'
import type { RequestRecord } from './journal-record.js'
import { toResponseRecord } from './journal-response.js'
import type { SentResponse } from './journal-response.js'
import { checkRequestConditions } from './request-conditions.js'
import { RECORDED } from './request-kinds.js'

/** The largest body that is recorded, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024

/**
 * The memory that an item of the journal needs while it is read, in bytes: its headers alone take 5 KB.
 * Few have large bodies, as those of the responses have 8 MiB together.
 */
const BYTES_PER_ITEM = 20 * 1024

/** A query of the journal, parsed and compiled. */
export type JournalQuery = CompiledListQuery & { readonly query: JsonObject }

/** The last requests of one server. Records are converted to items only when they are read. */
export class Journal {
  /** The number of records at most; 0 if the journal is off. */
  readonly capacity: number
  /** The bodies of the responses. */
  readonly #bodies: BodyRing
  /** The names of the served resources. */
  readonly resources: { has(name: string): boolean }
  readonly #log: EventLog
  /** A ring buffer: the record with a number is at the number modulo the capacity. */
  #records: (RequestRecord | undefined)[] = []
  /** The number of requests recorded since the start. */
  #count = 0
  /** The number of the last request that was removed with all before it. */
  #clearedCount = 0

  /**
   * @param store the store of the same sandbox, which has the names of the served resources
   * @param log where each request and each response is logged
   */
  constructor(
    capacity: number,
    { collections, bufferMemory }: Pick<Store, 'collections' | 'bufferMemory'>,
    log: EventLog,
  ) {
    this.capacity = capacity
    this.resources = collections
    this.#bodies = new BodyRing(bufferMemory)
    this.#log = log
  }

  /** The number of requests recorded since the start, which is the number of the newest one. */
  get count(): number {
    return this.#count
  }

  /** Whether the journal does not have all requests since the start or the last `clear`. */
  get isIncomplete(): boolean {
    return this.#count - this.#clearedCount > this.capacity
  }

  /** The number of records. */
  get size(): number {
    return this.#records.filter((each) => each !== undefined).length
  }

  /** Records a request. If the journal is full, the record replaces the oldest one. */
  record(record: RequestRecord): void {
    this.#count += 1
    record.number = this.#count
    this.#records[record.number % this.capacity] = record
    this.#log.append('request', { request: record.number })
  }

  /** Adds the response to the record of its request, when it is ready to be sent. */
  recordResponse(record: RequestRecord, response: SentResponse): void {
    record.status = response.status
    record.ms = performance.now() - record.start
    record.response = toResponseRecord(response, this.#bodies)
    this.#log.append('response', { request: record.number })
  }

  /** Logs that a request will get no response. */
  recordDrop(record: RequestRecord): void {
    this.#log.append('response', { request: record.number })
  }

  /** Returns the record with a number, or undefined if the journal does not have it any more. */
  findRecord(number: number): RequestRecord | undefined {
    const record = this.#records[number % this.capacity]
    return record?.number === number ? record : undefined
  }

  /** Whether the request with a number was removed by `clear`. */
  isCleared(number: number): boolean {
    return number <= this.#clearedCount
  }

  /**
   * Returns the items that match, with the fields that are asked for. The newest is the first in
   * natural order.
   * @throws QueryInvalid for a condition that no request can meet, and as `evaluate` does
   */
  *find({ query, fields, ...options }: JournalQuery): Work<JsonObject[]> {
    checkRequestConditions(query, new InputPath('query'), RECORDED)
    yield* needMemory(Math.min(this.#count, this.capacity) * BYTES_PER_ITEM)
    const records = this.#records.filter((each) => each !== undefined)
    const newestFirst = records.toSorted((a, b) => b.number - a.number)
    const entries: HasItem[] = []
    for (const record of newestFirst) {
      entries.push({ item: toJournalItem(record, this.resources, this.#bodies) })
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
    this.#clearedCount = this.#count
    this.#bodies.clear()
    this.#log.append('requests')
  }
}
