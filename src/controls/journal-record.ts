import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import { withoutTrailingSlash } from './path-glob.js'

/** What was done to a request on purpose: by which rule (null: as its `Prefer` asked), and what. */
export type AppliedFault = {
  readonly rule: string | null
  readonly delay?: number
  readonly status?: number
  readonly drop?: string
}

/** What is taken down of a request while it is answered, as cheaply as can be. */
export interface RequestRecord {
  /** When it came, in ms since the epoch. */
  readonly at: number
  /** The same moment on the clock that measures `ms`. */
  readonly start: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly route: string | undefined
  /** What the body was parsed to, or its text. */
  body: unknown
  /** Undefined until it is answered, and for ever where it never is. */
  status: number | undefined
  ms: number | undefined
  fault: AppliedFault | undefined
}

/** An entry of the journal, as it is read: every key is always there, null where there is nothing. */
export type JournalItem = {
  /** The number of the request in 12 digits: entries sort by it in the order they came. */
  readonly _id: string
  /** ISO 8601. */
  readonly at: string
  readonly method: string
  readonly path: string
  readonly route: string | null
  readonly resource: string | null
  /** As JSON where it is JSON, else as text; a list of texts where it came repeatedly. */
  readonly query: Json
  readonly projection: Json
  readonly headers: JsonObject
  readonly body: Json
  readonly accountId: string | null
  readonly status: number | null
  /** Until the answer was ready to be sent. */
  readonly ms: number | null
  readonly fault: AppliedFault | null
}

/** What stands for a password or a token. */
const MASK = '***'

/** How deep a value is shown, so that no sender decides how deep we go. */
const MAX_DEPTH = 50

/** Makes an entry of what was taken down. */
export function toJournalItem(
  id: string,
  facts: RequestRecord,
  resources: { has(name: string): boolean },
): JournalItem {
  const [path = '', search] = facts.url.split(/\?(.*)/s)
  const parameters = new URLSearchParams(search)
  const resource = /^\/api\/[^/]+\/([^/]+)/.exec(path)?.[1]
  return {
    _id: id,
    at: new Date(facts.at).toISOString(),
    method: facts.method,
    path,
    route: facts.route === undefined ? null : withoutTrailingSlash(facts.route),
    resource: resource !== undefined && resources.has(resource) ? resource : null,
    query: parameterOf(parameters, 'query'),
    projection: parameterOf(parameters, 'projection'),
    headers: maskHeaders(facts.headers),
    body: bodyOf(facts),
    accountId: accountIdOf(facts) ?? null,
    status: facts.status ?? null,
    ms: facts.ms === undefined ? null : Math.round(facts.ms * 1000) / 1000,
    fault: facts.fault ?? null,
  }
}

/** The account that a request names, whether or not its token was good. */
export function accountIdOf({ headers }: Pick<RequestRecord, 'headers'>): string | undefined {
  const id = headers['x-account-id']
  return typeof id === 'string' ? id : undefined
}

function parameterOf(parameters: URLSearchParams, name: string): Json {
  const texts = parameters.getAll(name)
  const [text] = texts
  if (text === undefined) return null
  return texts.length > 1 ? texts.map((each) => mask(each)) : mask(parseOrKeep(text))
}

function bodyOf({ body, headers }: RequestRecord): Json {
  if (body === undefined) return null
  if (typeof body !== 'string') return mask(body as Json)
  const type = String(headers['content-type']).split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded')
    return mask(Object.fromEntries(new URLSearchParams(body)))
  return mask(type === 'application/json' ? parseOrKeep(body) : body)
}

function parseOrKeep(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'x-auth-token',
  'authorization',
  'proxy-authorization',
  'cookie',
])

function maskHeaders(headers: RequestRecord['headers']): JsonObject {
  const masked = Object.entries(headers).map(([name, value = '']): [string, Json] => [
    name,
    SECRET_HEADERS.has(name) ? MASK : value,
  ])
  return Object.fromEntries(masked)
}

/** A copy in which no password is told; in a text that could not be parsed, nothing after the word. */
function mask(value: Json, depth = 0): Json {
  if (typeof value === 'string')
    return depth === 0 ? value.replace(/(password).*/is, `$1${MASK}`) : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return `deeper than ${MAX_DEPTH} levels`
  if (!isJsonObject(value)) return value.map((each) => mask(each, depth + 1))
  const entries = Object.entries(value).map(([key, each]): [string, Json] => [
    key,
    key.toLowerCase() === 'password' ? MASK : mask(each, depth + 1),
  ])
  return Object.fromEntries(entries)
}
