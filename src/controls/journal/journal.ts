import type { JournalItem } from '@materials-mock/api'
import { InputPath } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { MATCH_ALL, applyFields, evaluate } from '@materials-mock/query'
import type { CompiledListQuery, HasItem } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import type { Store } from '../../store/store.js'
import type { Events } from '../events/events.js'
import {
  formatId,
  sizeOf,
  toArrival,
  toJournalItem,
  toOutcome,
  toResponseRecord,
  toTooLong,
} from './journal-record.js'
import type { RequestRecord, ResponseRecord, SentResponse } from './journal-record.js'
import { RECORDED, checkRequestConditions } from './request-conditions.js'

/** The largest number of bytes of all bodies of responses. The oldest bodies are dropped. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** The largest number of bytes of all requests with their headers and bodies. The oldest requests are removed. */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024

/** The largest number of records that are read in one step, and the bytes after which no more are read. */
const BLOCK = { records: 64, bytes: 64 * 1024 }

export type JournalQuery = CompiledListQuery & {
  /** Where the query stands, for messages (default: `query`). */
  readonly path?: InputPath
}

/** The requests since the start or the last `clear` that a journal no longer has. */
export interface JournalGaps {
  /** The number of requests that were removed for newer ones. */
  readonly requests: number
  /** Whether there were more requests than the capacity; false if they were only too large. */
  readonly isOverCapacity: boolean
}

export interface JournalLimits {
  /** The largest number of records; 0 if the journal is off. */
  readonly capacity: number
  /** The largest number of bytes of a body. */
  readonly bodyBytes: number
}

/** The last requests of one server. Records are converted to items only when they are read. */
export class Journal {
  readonly capacity: number
  readonly bodyBytes: number
  /** What replaces the body of a request that is longer. */
  readonly tooLong: ReturnType<typeof toTooLong>
  readonly resources: { has(name: string): boolean }
  readonly #events: Pick<Events, 'send'>
  /** The records by their numbers, in a ring: the remainder of a number is its place. */
  readonly #records: (RequestRecord | undefined)[] = []
  /** The number of the oldest record, and that of the oldest one that may have the body of its response. */
  #oldest = 1
  #oldestBody = 1
  /** The bytes of all records, and those of the bodies that they have. */
  #requestBytes = 0
  #bodyBytes = 0
  #count = 0
  /** The number of the last request that was removed by `clear`. */
  #clearedCount = 0

  /**
   * @param store names the served resources
   * @param events get each request and each response
   */
  constructor(
    { capacity, bodyBytes }: JournalLimits,
    { collections }: Pick<Store, 'collections'>,
    events: Pick<Events, 'send'>,
  ) {
    this.capacity = capacity
    this.bodyBytes = bodyBytes
    this.tooLong = toTooLong(bodyBytes)
    this.resources = collections
    this.#events = events
  }

  /** The number of requests recorded since the start, which is the number of the newest request. */
  get count(): number {
    return this.#count
  }

  /** The `_id` of the newest request; zeros before the first one. */
  get newestId(): string {
    return formatId(this.#count)
  }

  get size(): number {
    return this.#count - this.#oldest + 1
  }

  get gaps(): JournalGaps {
    const requests = this.#count - this.#clearedCount - this.size
    return { requests, isOverCapacity: requests + this.size > this.capacity }
  }

  /** Whether the journal has every request since the start or the last `clear`. */
  get isComplete(): boolean {
    return this.capacity > 0 && this.gaps.requests === 0
  }

  /** Records a request. If the journal is full, the oldest requests are removed. */
  record(record: RequestRecord): void {
    if (this.size === this.capacity) this.#removeOldest()
    this.#count += 1
    record.number = this.#count
    this.#records[record.number % this.capacity] = record
    this.#requestBytes += record.bytes
    while (this.#requestBytes > MAX_REQUEST_BYTES) this.#removeOldest()
    this.#events.send('request', () => toArrival(record, this.resources))
  }

  recordResponse(record: RequestRecord, response: SentResponse): void {
    record.status = response.status
    record.ms = performance.now() - record.start
    const isThere = this.findRecord(record.number) === record
    if (isThere) this.#dropBody(record) // an error may follow a response that could not be sent
    record.response = toResponseRecord(response, this.bodyBytes)
    if (isThere) this.#countBody(record.number, record.response)
    this.#sendOutcome(record)
  }

  /** Tells those who follow the events that a request will get no response. */
  recordDrop(record: RequestRecord): void {
    this.#sendOutcome(record)
  }

  recordAbort(record: RequestRecord): void {
    record.aborted = true
    this.#sendOutcome(record)
  }

  #sendOutcome(record: RequestRecord): void {
    this.#events.send('response', () => ({ _id: formatId(record.number), ...toOutcome(record) }))
  }

  findRecord(number: number): RequestRecord | undefined {
    const isThere = number >= this.#oldest && number <= this.#count
    return isThere ? this.#records[number % this.capacity] : undefined
  }

  #listNewest(): RequestRecord[] {
    const length = this.size
    return Array.from({ length }, (_, age) => this.findRecord(this.#count - age)!)
  }

  #removeOldest(): void {
    const record = this.findRecord(this.#oldest)!
    this.#bodyBytes -= record.response?.keptBytes ?? 0
    this.#requestBytes -= record.bytes
    this.#records[record.number % this.capacity] = undefined
    this.#oldest += 1
    this.#oldestBody = Math.max(this.#oldestBody, this.#oldest)
  }

  #countBody(number: number, { keptBytes }: ResponseRecord): void {
    this.#bodyBytes += keptBytes
    this.#oldestBody = Math.min(this.#oldestBody, number)
    while (this.#bodyBytes > MAX_RESPONSE_BYTES) {
      this.#dropBody(this.findRecord(this.#oldestBody))
      this.#oldestBody += 1
    }
  }

  #dropBody(record: RequestRecord | undefined): void {
    const { response } = record ?? {}
    if (response === undefined || response.keptBytes === 0) return
    response.size ??= sizeOf(response.body ?? [])
    this.#bodyBytes -= response.keptBytes
    response.keptBytes = 0
    response.body = undefined
    response.isDropped = true
  }

  /**
   * Converts the items that match a query, with the selected fields. The newest item is the first in
   * natural order. A step reads about 64 KiB of bodies, however large the items are.
   * @param convert called with one item after the other; it may keep or change the item
   * @throws QueryInvalid for a condition that no request can meet, and as `evaluate` does
   */
  *find<Result>(
    { path = new InputPath('query'), fields, selector, ...options }: JournalQuery,
    convert: (item: JsonObject) => Work<Result>,
  ): Work<Result[]> {
    checkRequestConditions(selector.tree, path, RECORDED)
    const end = options.sort === undefined ? options.skip + options.limit : Infinity
    const matching: JournalEntry[] = []
    for (const records of toBlocks(this.#listNewest())) {
      const entries = records.map((record) => new JournalEntry(record, this.resources))
      // Parse and redact now, so that this time does not count as time of a pattern.
      if (selector.needsTimeout) for (const { item } of entries) void item.response?.body
      const page = { selector, sort: undefined, skip: 0, limit: entries.length }
      matching.push(...(yield* evaluate(entries, page)))
      for (const entry of entries) entry.forgetItem()
      if (matching.length >= end) break
      yield 'reading the journal'
    }
    const results: Result[] = []
    for (const entry of yield* evaluate(matching, { ...options, selector: MATCH_ALL })) {
      results.push(yield* convert(yield* applyFields(fields, entry.item)))
      entry.forgetItem()
    }
    return results
  }

  /** Removes all records. The numbers continue, and the journal is complete again. */
  clear(): void {
    this.drop()
    this.#clearedCount = this.#count
    this.#events.send('requests')
  }

  /** Removes all records to make room. The journal is incomplete afterwards. */
  drop(): void {
    while (this.size > 0) this.#removeOldest()
  }
}

/** Returns an item of the journal unchanged, as the `convert` of `find`. */
export function* keepRequest(request: JsonObject): Work<JsonObject> {
  yield 'reading the journal'
  return request
}

/** A record, and the item to which it is converted when it is first read. */
class JournalEntry implements HasItem {
  readonly #record: RequestRecord
  readonly #resources: Journal['resources']
  #item: JournalItem | undefined

  constructor(record: RequestRecord, resources: Journal['resources']) {
    this.#record = record
    this.#resources = resources
  }

  get item(): JournalItem {
    return (this.#item ??= toJournalItem(this.#record, this.#resources))
  }

  /** Frees the memory of the item, which may be a hundred times the memory of the record. */
  forgetItem(): void {
    this.#item = undefined
  }
}

function* toBlocks(records: readonly RequestRecord[]): Generator<RequestRecord[]> {
  let block: RequestRecord[] = []
  let bytes = 0
  for (const record of records) {
    block.push(record)
    bytes += record.bytes + Math.min(record.response?.keptBytes ?? 0, record.response?.limit ?? 0)
    if (block.length < BLOCK.records && bytes < BLOCK.bytes) continue
    yield block
    block = []
    bytes = 0
  }
  if (block.length > 0) yield block
}
