import { toApiError } from './api-error.js'

/** The two credentials of a session or of the account preferences, as headers. */
export interface Credentials {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

/** A function that sends a request: the global `fetch`, or the `fetch` of a mock. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The options of a client. */
export interface ClientOptions {
  /** The URL of the server, without a path: `mock.url`. By default, the origin of the page. */
  readonly url?: string
  /** The version of the API (default: `2018-10-01`). */
  readonly version?: string
  /** The two credentials of a session or of the account preferences, in place of a login. */
  readonly credentials?: Credentials
  /** A bearer token, in place of the two credentials. */
  readonly token?: string
  /** The function that sends the requests (default: the global `fetch`). */
  readonly fetch?: Fetch
}

export interface RequestOptions {
  /** Ends the request when it is aborted. */
  readonly signal?: AbortSignal | undefined
}

/** The optional parts of a request. */
export interface RequestParts extends RequestOptions {
  /** The parameters of the URL. Undefined parameters are left out, and all values except texts are sent as JSON. */
  readonly parameters?: Readonly<Record<string, string | number | boolean | object | undefined>>
  /** The body: form data, or a value that is sent as JSON. */
  readonly body?: unknown
}

/** Sends requests below the versioned root with the credentials of a client. */
export interface Transport {
  headers: Readonly<Record<string, string>>
  /** Which parameters the lists of the server read, if it has said so: `both`, `documented`, `migrated`, `strict`. */
  lists?: string | null
  /**
   * Sends a request, and returns the JSON and the headers of the response.
   * @param isSuccess whether the JSON of a 2xx response is a success (default: the envelope of one)
   * @throws ApiError for a response that is not a success
   * @throws the error of `fetch` if there is no response
   */
  exchange(
    method: string,
    path: string,
    parts?: RequestParts,
    isSuccess?: (json: object) => boolean,
  ): Promise<{ readonly json: { readonly data?: unknown }; readonly headers: Headers }>
  /** Sends a request, and returns `data` of the response. It throws the same errors as `exchange`. */
  send<Data>(method: string, path: string, parts?: RequestParts): Promise<Data>
}

export function createTransport({
  url = '',
  version = '2018-10-01',
  credentials,
  token,
  // A browser's fetch must not be called as a method of another object.
  fetch = (input, init) => globalThis.fetch(input, init),
}: ClientOptions): Transport {
  const root = `${url.replace(/\/$/, '')}/api/${version}`
  const transport: Transport = {
    headers: token === undefined ? { ...credentials } : { Authorization: `Bearer ${token}` },

    async exchange(method, path, parts = {}, isSuccess = isSuccessEnvelope) {
      const { parameters = {}, body, signal } = parts
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) search.set(name, typeof value === 'string' ? value : toJson(value))
      const isForm = body instanceof URLSearchParams
      const response = await fetch(`${root}${path}?${search}`.replace(/\?$/, ''), {
        method,
        headers: {
          ...transport.headers,
          ...(body !== undefined && { 'Content-Type': isForm ? FORM_TYPE : 'application/json' }),
        },
        ...(body !== undefined && { body: isForm ? String(body) : toJson(body) }),
        ...(signal && { signal }),
      })
      transport.lists ??= response.headers.get('X-Mock-Lists')
      return { json: await readJson(response, isSuccess), headers: response.headers }
    },

    async send<Data>(method: string, path: string, parts?: RequestParts) {
      return (await transport.exchange(method, path, parts)).json.data as Data
    },
  }
  return transport
}

/** What `fetch` sends with a form. It is named because the `fetch` of another realm, as in jsdom, takes a form for text. */
const FORM_TYPE = 'application/x-www-form-urlencoded;charset=UTF-8'

/** Whether JSON is the envelope of a success. Another server may answer anything with the status 200. */
const isSuccessEnvelope = (json: object): boolean => 'status' in json && json.status === 'success'

/** @throws ApiError for a response that is not a success, or not JSON */
async function readJson(response: Response, isSuccess: (json: object) => boolean): Promise<object> {
  const { ok, status, statusText } = response
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // A proxy answers with HTML.
  }
  if (ok && typeof json === 'object' && json !== null && isSuccess(json)) return json
  throw toApiError(
    status,
    json,
    `unexpected response: ${status} ${statusText} ${text.slice(0, 100)}`,
  )
}

/**
 * Converts a value to JSON. A value that JSON can't express is an error: `JSON.stringify` would leave
 * it out, and a query with fewer conditions matches more items. A Date becomes its text in ISO 8601.
 * @throws TypeError for undefined, NaN, an invalid Date, a RegExp and the like
 */
const toJson = (value: unknown): string =>
  JSON.stringify(value, function replace(this: Readonly<Record<string, unknown>>, key, part) {
    const given = this[key] // a Date that is no time becomes null
    if (isJsonPart(part) && (part !== null || given === null)) return part as unknown
    throw new TypeError(`${key || 'the value'} is ${String(given)}, which JSON does not have`)
  })

function isJsonPart(part: unknown): boolean {
  if (part === null || typeof part === 'string' || typeof part === 'boolean') return true
  if (typeof part === 'number') return Number.isFinite(part)
  if (typeof part !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(part)
  // A plain object of another window has another Object.prototype.
  return Array.isArray(part) || prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Returns the credentials in the JSON of a login, or undefined if there are none. Some deployments wrap them
 * in `data`.
 */
export function readCredentials(json: unknown): Credentials | undefined {
  const login = json as (Partial<Credentials> & { readonly data?: Partial<Credentials> }) | null
  const { 'X-Account-Id': id, 'X-Auth-Token': token } = { ...login, ...login?.data }
  if (typeof id === 'string' && typeof token === 'string')
    return { 'X-Account-Id': id, 'X-Auth-Token': token }
  return undefined
}
