import type { Json, JsonObject } from '../../json/json.js'
import { parseIfJson } from '../../json/parse-if-json.js'
import type { BodyRing, StoredBody } from './body-ring.js'
import { redactHeaders, redactSecrets } from './redact.js'

/** The headers of a response. */
export type ResponseHeaders = Readonly<Record<string, number | string | string[] | undefined>>

/** A response that is ready to be sent. */
export interface SentResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  /** The text or the bytes of the body, or a stream; null or undefined for no body. */
  readonly payload: unknown
}

/** The record of a response, when it is ready to be sent. */
export interface ResponseRecord {
  readonly headers: ResponseHeaders
  /** The size of the body in bytes, or undefined for a stream. */
  readonly size: number | undefined
  /** Where the text of the body is; undefined if there is none. */
  readonly body: StoredBody | undefined
}

/**
 * What `body` of a response in the journal is: the whole body, its first 64 KiB as a text, or null,
 * because the response has no body, the body is no text, is sent as a stream, or newer bodies have
 * taken its memory.
 */
export type BodyState = 'complete' | 'truncated' | 'empty' | 'binary' | 'stream' | 'dropped'

/** A response in the journal, as a reader gets it. */
export type JournalResponse = {
  readonly status: number
  /** Without those that Node adds: `date`, `connection`. */
  readonly headers: JsonObject
  /** The size of the body in bytes; null for a stream. */
  readonly size: number | null
  readonly bodyState: BodyState
  /** Parsed if it is complete JSON. */
  readonly body: Json
}

/** Creates the record of a response, and stores the start of its body. */
export function toResponseRecord(
  { headers, payload }: SentResponse,
  bodies: BodyRing,
): ResponseRecord {
  if (payload === undefined || payload === null || payload === '')
    return { headers, size: 0, body: undefined }
  if (typeof payload === 'string')
    return { headers, size: Buffer.byteLength(payload), body: bodies.write(payload) }
  if (!Buffer.isBuffer(payload)) return { headers, size: undefined, body: undefined }
  return {
    headers,
    size: payload.length,
    body: isText(headers) ? bodies.write(payload) : undefined,
  }
}

/** The content types of texts, beside `text/*`. */
const TEXT_TYPE = /^text\/|[/+](?:json|jsonl|xml|javascript|x-www-form-urlencoded)\b/i

const isText = (headers: ResponseHeaders): boolean =>
  TEXT_TYPE.test(String(headers['content-type']))

/**
 * Converts the record of a response to a part of a journal's item, with secrets redacted. The body
 * is parsed when it is first read, which takes long for the bodies of a whole journal.
 */
export function toJournalResponse(
  status: number,
  { headers, size, body: stored }: ResponseRecord,
  bodies: BodyRing,
): JournalResponse {
  const text = stored === undefined ? undefined : bodies.read(stored)
  const bodyState = findBodyState(size, stored, text)
  let body: Json | undefined
  return {
    status,
    headers: redactHeaders(toTexts(headers)),
    size: size ?? null,
    bodyState,
    get body(): Json {
      body ??= text === undefined ? null : readBody(text, bodyState, headers)
      return body
    },
  }
}

function findBodyState(
  size: number | undefined,
  stored: StoredBody | undefined,
  text: string | undefined,
): BodyState {
  if (size === undefined) return 'stream'
  if (stored === undefined) return size === 0 ? 'empty' : 'binary'
  if (text === undefined) return 'dropped'
  return stored.length < size ? 'truncated' : 'complete'
}

function readBody(text: string, state: BodyState, headers: ResponseHeaders): Json {
  const isJson = /\bjson\b/i.test(String(headers['content-type']))
  return redactSecrets(isJson && state === 'complete' ? parseIfJson(text) : text)
}

const toTexts = (headers: ResponseHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    ),
  )
