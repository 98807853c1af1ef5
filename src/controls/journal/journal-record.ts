import type { IncomingHttpHeaders } from 'node:http'
import { StringDecoder } from 'node:string_decoder'

import type {
  AppliedFault,
  BodyState,
  JournalItem,
  JournalResponse,
  Outcome,
  RequestArrival,
  RequestItem,
} from '@materials-mock/api'
import {
  parseIfJson,
  redactForm,
  redactHeaders,
  redactSecrets,
  redactUrl,
} from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { ListQuery } from '@materials-mock/query'
import { CatalogueError } from '../../errors.js'
import type { UrlParameters } from '../../http/list/parameters.js'
import { stripTrailingSlash } from '../path-glob.js'

/** What keeps more of a body. */
const KEEP_MORE = '--journal-body keeps more'

/** Returns what replaces the body of a request of more than `limit` bytes. */
export const toTooLong = (limit: number): { readonly tooLong: string } => ({
  tooLong: `more than ${limit} bytes; ${KEEP_MORE}`,
})

export interface RequestRecord {
  /** The number of the request in order of arrival, from 1. The journal sets it. */
  number: number
  /** The bytes of the URL, its parameters, the headers and the recorded part of the body. */
  readonly bytes: number
  /** The time of arrival, in ms since the epoch. */
  readonly at: number
  /** The time of arrival by `performance.now()`, from which `ms` is computed. */
  readonly start: number
  readonly method: string
  readonly url: string
  readonly parameters: UrlParameters
  readonly headers: IncomingHttpHeaders
  readonly accountId: string | undefined
  readonly route: string | undefined
  /** Reads the parameters of a list as its route does, and throws the same errors. */
  readonly readList: ((parameters: UrlParameters) => ListQuery) | undefined
  /** What `readList` has returned, or the parameters as they were sent; undefined until somebody asks. */
  list?: ReadList
  /** The headers and the body as they are shown; undefined until somebody asks. */
  shownHeaders?: JsonObject
  shownBody?: Json
  /** The parsed body, or its text. */
  body?: unknown
  /** Undefined until there is a response. */
  status?: number
  ms?: number
  /** Whether the client left before the response was sent. */
  aborted?: boolean
  response?: ResponseRecord
  fault?: AppliedFault
  upstream?: string
}

export type ResponseHeaders = Readonly<Record<string, number | string | string[] | undefined>>

export interface ResponseRecord {
  readonly headers: ResponseHeaders
  /** The size of the body in bytes: null for a stream; of a body with texts undefined until somebody asks. */
  size: number | null | undefined
  /** The body as it was sent, or its start; undefined if it is not text, or was dropped. */
  body: Body | undefined
  /** The bytes of `body`; of a text the characters. */
  keptBytes: number
  isDropped: boolean
  /** The bytes of the body that are shown. */
  readonly limit: number
}

/**
 * Redacts passwords and tokens.
 * @param resources the names of the served resources
 */
export const toJournalItem = (
  record: RequestRecord,
  resources: { has(name: string): boolean },
): JournalItem => ({
  ...toRequestItem(record, resources),
  ...toOutcome(record),
  response:
    record.status === undefined || record.response === undefined
      ? null
      : toJournalResponse(record.status, record.response),
})

/** Converts the part of a record that is known when the whole request has arrived. */
export const toRequestItem = (
  record: RequestRecord,
  resources: { has(name: string): boolean },
): RequestItem => ({
  ...toArrival(record, resources),
  headers: (record.shownHeaders ??= redactHeaders(record.headers)),
  body: record.body === undefined ? null : (record.shownBody ??= readRequestBody(record)),
})

/** Converts the part of a record that is known when the request arrives, without its headers. */
export function toArrival(
  record: RequestRecord,
  resources: { has(name: string): boolean },
): RequestArrival {
  const [path = ''] = record.url.split('?')
  const resource = /^\/api\/[^/]+\/([^/]+)/.exec(path)?.[1]
  return {
    _id: formatId(record.number),
    at: new Date(record.at).toISOString(),
    method: record.method,
    path: redactUrl(path),
    url: redactUrl(record.url),
    route: record.route === undefined ? null : stripTrailingSlash(record.route),
    resource: resource !== undefined && resources.has(resource) ? resource : null,
    ...(record.list ??= readListQuery(record)),
    accountId: record.accountId ?? null,
  }
}

/** Converts the part of a record that is known when the request ends. */
export const toOutcome = ({
  status,
  ms,
  aborted = false,
  fault,
  upstream,
}: RequestRecord): Outcome => ({
  status: status ?? null,
  ms: ms === undefined ? null : Math.round(ms * 1000) / 1000,
  aborted,
  fault: fault ?? null,
  upstream: upstream ?? null,
})

/** Formats an id. All ids have the same length, so they sort as the numbers do, and queries can compare them. */
export const formatId = (number: number): string => String(number).padStart(12, '0')

type ReadList = Pick<JournalItem, 'query' | 'projection'>

function readListQuery({ readList, parameters }: RequestRecord): ReadList {
  try {
    const read = readList?.(parameters)
    if (read !== undefined) {
      const { query = null, projection = null } = read
      return { query: redactSecrets(query), projection: redactSecrets(projection) }
    }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
  }
  return {
    query: readParameter(parameters['query']),
    projection: readParameter(parameters['projection']),
  }
}

function readParameter(given: string | readonly string[] | undefined): Json {
  if (given === undefined) return null
  return redactSecrets(typeof given === 'string' ? parseIfJson(given) : given)
}

function readRequestBody({ body, headers }: RequestRecord): Json {
  if (typeof body !== 'string') return redactSecrets(body as Json)
  const type = String(headers['content-type']).split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return redactForm(body)
  return redactSecrets(type === 'application/json' ? parseIfJson(body) : body)
}

export interface SentResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  /** The body: a text, bytes, parts of them or a stream; null or undefined for no body. */
  readonly payload: unknown
}

/** The largest body that is kept as it was sent, in bytes. The start of a larger body is copied. */
const MAX_SHARED_BYTES = 256 * 1024

/** Creates the record of a response. The body is neither copied nor decoded before it is read. */
export function toResponseRecord(
  { headers, payload }: SentResponse,
  limit: number,
): ResponseRecord {
  const sent = toBody(payload)
  const keptBytes = weigh(sent ?? [])
  const size = sent === undefined ? null : sent.every(Buffer.isBuffer) ? keptBytes : undefined
  const record = { headers, size, body: sent, keptBytes, isDropped: false, limit }
  if (sent === undefined) return record
  const isBinary = Buffer.isBuffer(payload) && !isText(headers)
  if (keptBytes <= Math.max(limit, MAX_SHARED_BYTES) && !isBinary) return record
  const body = isBinary ? undefined : copyStart(sent, limit)
  return { ...record, size: sizeOf(sent), body, keptBytes: weigh(body ?? []) }
}

/** The parts of a body: none if there is no body. */
export type Body = readonly (Buffer | string)[]

/** Returns the body that a payload is; undefined for a stream that can be read only once. */
export function toBody(payload: unknown): Body | undefined {
  if (Array.isArray(payload)) return payload
  if (payload === undefined || payload === null || payload === '') return []
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? [payload] : undefined
}

/** Counts the characters of texts, and not their bytes, which takes longer. */
function weigh(body: Body): number {
  let weight = 0
  for (const { length } of body) weight += length
  return weight
}

export function sizeOf(body: Body): number {
  let size = 0
  for (const part of body) size += Buffer.byteLength(part)
  return size
}

const copyStart = (body: Body, limit: number): Body => [
  Buffer.concat(
    body.map((part) => (typeof part === 'string' ? Buffer.from(part.slice(0, limit + 1)) : part)),
    limit + 1,
  ),
]

/** The content types of text, including `text/*`. */
const TEXT_TYPE = /^text\/|[/+](?:json|jsonl|xml|javascript|x-www-form-urlencoded)\b/i

const isText = (headers: ResponseHeaders): boolean =>
  TEXT_TYPE.test(String(headers['content-type']))

/** Redacted. The body is decoded when first read: decoding all of a journal takes long. */
export function toJournalResponse(status: number, record: ResponseRecord): JournalResponse {
  const { headers, body: stored, isDropped, limit } = record
  const size = record.size === undefined ? sizeOf(stored ?? []) : record.size
  const bodyState = isDropped ? 'dropped' : findBodyState(size, record)
  let body: Json | undefined
  return {
    status,
    headers: redactHeaders(headers),
    size,
    bodyState,
    ...(bodyState === 'truncated' && {
      cut: `the first ${limit} of ${size} bytes; ${KEEP_MORE}`,
    }),
    get body(): Json {
      body ??= stored?.length ? readResponseBody(stored, bodyState, record) : null
      return body
    },
  }
}

function findBodyState(
  size: number | null,
  { body, limit }: ResponseRecord,
): Exclude<BodyState, 'dropped'> {
  if (size === null) return 'stream'
  if (body === undefined) return size === 0 ? 'empty' : 'binary'
  if (body.length === 0) return 'empty'
  return size > limit ? 'truncated' : 'complete'
}

function readResponseBody(
  stored: Body,
  state: BodyState,
  { headers, limit }: ResponseRecord,
): Json {
  const text = decodeStart(stored, limit)
  const isJson = /\bjson\b/i.test(String(headers['content-type']))
  return redactSecrets(isJson && state === 'complete' ? parseIfJson(text) : text)
}

/** Returns the text of the first bytes of a body in UTF-8, without an incomplete character at the end. */
function decodeStart(body: Body, limit: number): string {
  const bytes = toBytes(body)
  return bytes.length > limit
    ? new StringDecoder().write(bytes.subarray(0, limit))
    : bytes.toString()
}

export const toBytes = (body: Body): Buffer =>
  Buffer.concat(body.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
