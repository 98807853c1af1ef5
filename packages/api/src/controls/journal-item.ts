import { Type } from '@sinclair/typebox'
import type { Static, TNull, TSchema, TUnion } from '@sinclair/typebox'

import type { Json, JsonObject } from '@materials-mock/json'

/** The fault that was applied to a request. `rule` is null for a fault of the `Prefer` header. */
export type AppliedFault = {
  readonly rule: string | null
  readonly name?: string
  readonly preset?: string
  readonly delay?: number
  readonly status?: number
  readonly drop?: string
  /** The bandwidth in bytes per second. */
  readonly bandwidth?: number
  /** The names of the headers that the fault has set. */
  readonly headers?: readonly string[]
  readonly patch?: true
}

const nullable = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()])

/** Any JSON value that was sent. */
const SentJson = Type.Unsafe<Json>(Type.Unknown())

/** An object whose fields a projection may leave out. */
const partOf = <Value>() => Type.Unsafe<Value>(Type.Object({}, { additionalProperties: true }))

/** A request in the journal, as it is read. Every key is present; a missing value is null. */
export const JournalItem = Type.Object({
  _id: Type.String({
    pattern: '^\\d{12}$',
    expected: 'a number of twelve digits, as text',
    description: 'The number of the request, so that items sort by it in order of arrival.',
  }),
  at: Type.String({ description: 'The time of arrival.' }),
  method: Type.String({ pattern: '^[^a-z]+$', expected: 'a method in upper case' }),
  path: Type.String(),
  url: Type.String({
    description: 'The path with its parameters as it was sent, with secrets redacted.',
  }),
  route: nullable(Type.String()),
  resource: nullable(Type.String()),
  /**
   * All conditions of a list, from all its parameters. For a refused list, and for any other request,
   * it is the parameter of this name: parsed if it is JSON, else a string; an array if it was repeated.
   */
  query: SentJson,
  /** The order, the page and the fields of a list, read as `query` is. */
  projection: SentJson,
  headers: partOf<JsonObject>(),
  body: SentJson,
  accountId: nullable(Type.String()),
  status: nullable(Type.Integer()),
  ms: nullable(
    Type.Number({ description: 'The time in ms until the response was ready to be sent.' }),
  ),
  aborted: Type.Boolean({
    description: 'Whether the client left before the response was sent.',
  }),
  fault: nullable(partOf<AppliedFault>()),
  upstream: nullable(
    Type.String({ description: 'The deployment that has answered in place of the mock.' }),
  ),
  /** Null until there is a response, and for a request without a response. */
  response: nullable(partOf<JournalResponse>()),
})
export type JournalItem = Readonly<Static<typeof JournalItem>>

/** The part of a recorded request that a projection selects. */
export const RecordedRequest = Type.Partial(JournalItem, {
  $id: 'RecordedRequest',
  additionalProperties: true,
  examples: [
    {
      _id: '000000000042',
      at: '2026-11-22T08:56:56.714Z',
      method: 'GET',
      path: '/api/2018-10-01/materials',
      query: { formula: 'Si' },
      status: 200,
      ms: 0.81,
    },
  ],
})

export type RecordedRequest = Static<typeof RecordedRequest>

/**
 * What the `body` of a response in the journal is: the whole body, the text of its first bytes, or
 * null. It is null if the response has no body, if the body is not text or is sent as a stream, or if
 * the journal has dropped it for newer bodies.
 */
export type BodyState = 'complete' | 'truncated' | 'empty' | 'binary' | 'stream' | 'dropped'

/** A response in the journal, as it is read. */
export type JournalResponse = {
  readonly status: number
  /** The headers without `date` and `connection`, which Node adds. */
  readonly headers: JsonObject
  /** The size of the body in bytes; null for a stream. */
  readonly size: number | null
  readonly bodyState: BodyState
  /** What there is of a truncated body: `the first 262144 of 400000 bytes; --journal-body keeps more`. */
  readonly cut?: string
  /** The body, parsed if it is complete JSON. */
  readonly body: Json
}

export type Outcome = Pick<JournalItem, 'status' | 'ms' | 'aborted' | 'fault' | 'upstream'>

/** The part of an item that is known when a request has arrived, with its body. */
export type RequestItem = Omit<JournalItem, keyof Outcome | 'response'>

/** The part of an item that is known when a request arrives. */
export type RequestArrival = Omit<RequestItem, 'headers' | 'body'>
