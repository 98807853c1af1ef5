import type { RequestSummary } from '../api/journal-types.js'

/** A request that has arrived, or what its response adds. */
export interface RequestEvent {
  readonly kind: 'request' | 'response'
  readonly data: RequestSummary
}

/** The number of requests that are held; the journal holds as many by default. */
const MAX_REQUESTS = 1000

/**
 * Adds events to a list of requests, the newest first. An event that comes twice changes nothing, and
 * one that comes late finds its place.
 */
export function applyEvents(
  feed: readonly RequestSummary[],
  events: readonly RequestEvent[],
): RequestSummary[] {
  const byId = new Map(feed.map((each) => [each._id, each]))
  for (const { kind, data } of events) {
    const known = byId.get(data._id)
    if (kind === 'request') byId.set(data._id, { ...data, ...known })
    else if (known !== undefined) byId.set(data._id, { ...known, ...data })
  }
  return [...byId.values()]
    .toSorted((a, b) => (a._id < b._id ? 1 : a._id > b._id ? -1 : 0))
    .slice(0, MAX_REQUESTS)
}
