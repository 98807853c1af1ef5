import type { Json, JsonObject } from './item.js'

/** The fault that was applied to a request. */
export interface AppliedFault extends JsonObject {
  readonly rule: string | null
  readonly name?: string
}

/** A request as the list shows it. What the response adds is undefined until there is one. */
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
  /** In bytes; null for a stream. */
  readonly size: number | null
  readonly bodyState: string
  readonly body: Json
}

/** A request in the journal, with all that was recorded. */
export interface RequestRecord extends RequestSummary {
  /** The path with its parameters. */
  readonly url: string
  /** The resource that the path names; null if there is none. */
  readonly resource: string | null
  readonly headers: JsonObject
  readonly body: Json
  readonly upstream: string | null
  readonly response: JournalResponse | null
}
