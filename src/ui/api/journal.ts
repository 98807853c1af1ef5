import type { Outcome, RequestArrival } from '../../admin/journal/journal-item.js'

/** A request in the list. The fields of the response are undefined until there is a response. */
export type RequestSummary = RequestArrival & Partial<Outcome>

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
