import type { Json, JsonObject } from './item.js'

/** The fault that was applied to a request. */
interface AppliedFault extends JsonObject {
  readonly rule: string | null
  readonly name?: string
}

/** A request in the list. The fields of the response are undefined until there is a response. */
export interface RequestSummary {
  /** 12 digits that grow with each request. */
  readonly _id: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: Json
  readonly projection: Json
  readonly accountId: string | null
  readonly status?: number | null
  readonly ms?: number | null
  readonly fault?: AppliedFault | null
}

/** A response in the journal. */
export interface JournalResponse {
  readonly status: number
  readonly headers: JsonObject
  /** The size in bytes; null for a stream. */
  readonly size: number | null
  readonly bodyState: string
  readonly body: Json
}

/** A request in the journal, with all recorded fields. */
export interface RequestRecord extends RequestSummary {
  /** The path with its parameters. */
  readonly url: string
  /** The resource that the path names; null if it names no resource. */
  readonly resource: string | null
  readonly headers: JsonObject
  readonly body: Json
  readonly upstream: string | null
  readonly response: JournalResponse | null
}

/** A request that has arrived, or the fields of its response. */
export interface RequestEvent {
  readonly kind: 'request' | 'response'
  readonly data: RequestSummary
}

/** The largest number of requests in the list. The journal has as many by default. */
const MAX_REQUESTS = 1000

/**
 * Adds events to a list of requests, the newest first. A repeated event changes nothing, and a late
 * event is inserted at its place.
 */
export function applyEvents(
  requests: readonly RequestSummary[],
  events: readonly RequestEvent[],
): RequestSummary[] {
  const byId = new Map(requests.map((each) => [each._id, each]))
  for (const { kind, data } of events) {
    const known = byId.get(data._id)
    if (kind === 'request') byId.set(data._id, { ...data, ...known })
    else if (known !== undefined) byId.set(data._id, { ...known, ...data })
  }
  return [...byId.values()]
    .toSorted((a, b) => (a._id < b._id ? 1 : a._id > b._id ? -1 : 0))
    .slice(0, MAX_REQUESTS)
}
