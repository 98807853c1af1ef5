import type { Json, JsonObject } from '../../json/json.js'
import { parseIfJson } from '../../json/parse-if-json.js'
import type { BodyRing } from './body-ring.js'
import { toJournalResponse } from './journal-response.js'
import type { JournalResponse, ResponseRecord } from './journal-response.js'
import { stripTrailingSlash } from '../path-glob.js'
import { redactHeaders, redactSecrets, redactUrl } from './redact.js'
import type { RequestHeaders } from '../../http/request-account.js'

/** The fault that was applied to a request. `rule` is null for one that its `Prefer` header sets. */
export type AppliedFault = {
  readonly rule: string | null
  /** The name of the rule. */
  readonly name?: string
  readonly preset?: string
  readonly delay?: number
  readonly status?: number
  readonly drop?: string
  /** In bytes a second. */
  readonly bandwidth?: number
  /** The names of the headers that it has set. */
  readonly headers?: readonly string[]
  /** Whether it has changed the JSON of the response. */
  readonly patch?: true
}

/** The record of a request, which the journal plugin fills in while the request is handled. */
export interface RequestRecord {
  /** Its number in order of arrival, from 1, which the journal sets. */
  number: number
  /** The time of arrival, in ms since the epoch. */
  readonly at: number
  /** The same time by `performance.now()`, from which `ms` is computed. */
  readonly start: number
  readonly method: string
  readonly url: string
  readonly headers: RequestHeaders
  /** The account of the request, as `findRequestAccountId` returns it. */
  readonly accountId: string | undefined
  readonly route: string | undefined
  /** The parsed body, or its text. */
  body: unknown
  /** Undefined until there is a response. */
  status: number | undefined
  ms: number | undefined
  response: ResponseRecord | undefined
  fault: AppliedFault | undefined
  /** The deployment that the request was passed on to. */
  upstream: string | undefined
}

/** A request in the journal, as a reader gets it. Every key is present; null stands for no value. */
export type JournalItem = {
  /** The number of the request in 12 digits, so that items sort by it in order of arrival. */
  readonly _id: string
  /** ISO 8601. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** The path with its parameters, as it was sent, but for secrets. */
  readonly url: string
  readonly route: string | null
  readonly resource: string | null
  /** Parsed if it is JSON, else a string; an array of strings if the parameter was repeated. */
  readonly query: Json
  /** As `query`. */
  readonly projection: Json
  readonly headers: JsonObject
  readonly body: Json
  readonly accountId: string | null
  readonly status: number | null
  /** The time until the response was ready to be sent. */
  readonly ms: number | null
  readonly fault: AppliedFault | null
  /** The deployment that has answered in place of the mock. */
  readonly upstream: string | null
  /** Null until there is a response, and for a request that gets none. */
  readonly response: JournalResponse | null
}

/**
 * Converts a record to an item of the journal, with passwords and tokens redacted.
 * @param resources the names of the served resources
 * @param bodies the bodies of the responses
 */
export const toJournalItem = (
  record: RequestRecord,
  resources: { has(name: string): boolean },
  bodies: BodyRing,
): JournalItem => ({
  ...toRequestItem(record, resources),
  ...toOutcome(record),
  response:
    record.status === undefined || record.response === undefined
      ? null
      : toJournalResponse(record.status, record.response, bodies),
})

/** The part of an item that is known when a request has arrived, with its body. */
export type RequestItem = Arrival & Pick<JournalItem, 'headers' | 'body'>

/** Converts the part of a record that is known when the whole request has arrived. */
export const toRequestItem = (
  record: RequestRecord,
  resources: { has(name: string): boolean },
): RequestItem => ({
  ...toArrival(record, resources),
  headers: redactHeaders(record.headers),
  body: readBody(record),
})

/** The part of an item that is known when a request arrives, without its headers. */
export type Arrival = Pick<
  JournalItem,
  | '_id'
  | 'at'
  | 'method'
  | 'path'
  | 'url'
  | 'route'
  | 'resource'
  | 'query'
  | 'projection'
  | 'accountId'
>

/** Converts the part of a record that is known when the request arrives. */
export function toArrival(
  record: RequestRecord,
  resources: { has(name: string): boolean },
): Arrival {
  const [path = '', search] = record.url.split(/\?(.*)/s)
  const parameters = new URLSearchParams(search)
  const resource = /^\/api\/[^/]+\/([^/]+)/.exec(path)?.[1]
  return {
    _id: formatId(record.number),
    at: new Date(record.at).toISOString(),
    method: record.method,
    path: redactUrl(path),
    url: redactUrl(record.url),
    route: record.route === undefined ? null : stripTrailingSlash(record.route),
    resource: resource !== undefined && resources.has(resource) ? resource : null,
    query: readParameter(parameters, 'query'),
    projection: readParameter(parameters, 'projection'),
    accountId: record.accountId ?? null,
  }
}

/** The part of an item that is known when a request ends, without the response itself. */
export type Outcome = Pick<JournalItem, 'status' | 'ms' | 'fault' | 'upstream'>

/** Converts the part of a record that is known when the request ends. */
export const toOutcome = ({ status, ms, fault, upstream }: RequestRecord): Outcome => ({
  status: status ?? null,
  ms: ms === undefined ? null : Math.round(ms * 1000) / 1000,
  fault: fault ?? null,
  upstream: upstream ?? null,
})

/** All ids have one length, so that they sort as the numbers do, and a query can compare them. */
export const formatId = (number: number): string => String(number).padStart(12, '0')

function readParameter(parameters: URLSearchParams, name: string): Json {
  const texts = parameters.getAll(name)
  const [text] = texts
  if (text === undefined) return null
  if (texts.length > 1) return texts.map((each) => redactSecrets(each))
  return redactSecrets(parseIfJson(text))
}

function readBody({ body, headers }: RequestRecord): Json {
  if (body === undefined) return null
  if (typeof body !== 'string') return redactSecrets(body as Json)
  const type = String(headers['content-type']).split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded')
    return redactSecrets(Object.fromEntries(new URLSearchParams(body)))
  return redactSecrets(type === 'application/json' ? parseIfJson(body) : body)
}
