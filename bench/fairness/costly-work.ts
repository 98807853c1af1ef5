import type { OutgoingRequest } from '../clients/send-request.js'

/** A kind of work that costs the server much, and that anybody may ask for. */
export interface CostlyWork {
  readonly name: string
  /** Returns a request. Each index gives another one, so that no cache helps. */
  readonly createRequest: (index: number) => OutgoingRequest
  /** Returns the requests that must succeed before the work. */
  readonly prepare?: () => Iterable<OutgoingRequest>
  /** The number of requests at most (default: no limit), so that the memory does not grow. */
  readonly maxRequests?: number
  /** The time after which a client closes its connection and sends the next request, in ms. */
  readonly hangUpAfter?: number
  /** What a deployment responds to all requests; the server passes on to it what it lacks, and records the answers. */
  readonly upstream?: string
  /** Further flags of the server. */
  readonly flags?: readonly string[]
}

/** The materials that costly work is about. */
export interface Target {
  /** The number of all materials. */
  readonly count: number
  /** The `_id`s of some of them, at least 40. */
  readonly ids: readonly string[]
}
