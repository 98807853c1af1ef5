import type { Fetch } from '@materials-mock/client'
import type { JsonObject } from '@materials-mock/json'

/** A request on its way to the server. A change may send another one. */
export interface ProxyRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body?: string
}

/** Sends a request to the server. */
export type Send = (request: ProxyRequest) => Promise<Response>

/** What a proxy does with each request. */
export type Change = (request: ProxyRequest, send: Send) => Promise<Response>

/** Returns a fetch whose requests and responses go through a change. */
export function breakFetch(fetch: Fetch, change: Change): Fetch {
  const send: Send = ({ url, ...init }) => fetch(url.href, init)
  return (url, { method = 'GET', headers, body }) => {
    const request = {
      method,
      url: new URL(url),
      headers: { ...(headers as Record<string, string>) },
      ...(typeof body === 'string' && { body }),
    }
    return change(request, send)
  }
}

/** The last segment of a request's path. */
export const lastSegment = ({ url }: ProxyRequest): string => url.pathname.split('/').at(-1) ?? ''

export const isLogin = (request: ProxyRequest): boolean => lastSegment(request) === 'login'
export const isLogout = (request: ProxyRequest): boolean => lastSegment(request) === 'logout'
export const isList = (request: ProxyRequest): boolean =>
  request.method === 'GET' && /\/(materials|things)$/.test(request.url.pathname)
export const isItem = (request: ProxyRequest): boolean =>
  request.method === 'GET' && /\/(materials|things)\/[^/]+$/.test(request.url.pathname)

/** Returns a response of JSON. */
export const respond = (json: unknown, status = 200, type = 'application/json'): Response =>
  new Response(JSON.stringify(json), { status, headers: { 'content-type': type } })

/** Changes the JSON of a response. */
export async function mapJson(
  response: Response,
  map: (json: JsonObject) => unknown,
  status = response.status,
): Promise<Response> {
  const text = await response.text()
  const { headers } = response
  const body = text === '' ? null : JSON.stringify(map(JSON.parse(text) as JsonObject))
  return new Response(body, { status, headers })
}

/** Changes the responses to some requests. */
export const onResponse =
  (isOne: (request: ProxyRequest) => boolean, map: (response: Response) => unknown): Change =>
  async (request, send) => {
    const response = await send(request)
    return isOne(request) ? ((await map(response)) as Response) : response
  }

/** Changes the JSON of successes. */
export const onSuccess = (
  isOne: (request: ProxyRequest) => boolean,
  map: (json: JsonObject) => unknown,
): Change => onResponse(isOne, (response) => (response.ok ? mapJson(response, map) : response))

/** Changes the items of lists. */
export const onItems =
  (map: (items: JsonObject[], request: ProxyRequest) => unknown): Change =>
  async (request, send) => {
    const response = await send(request)
    if (!isList(request) || !response.ok) return response
    return mapJson(response, ({ data, ...json }) => ({
      ...json,
      data: map(data as JsonObject[], request),
    }))
  }

/** Changes the JSON of errors. */
export const onError = (map: (json: JsonObject) => unknown, status?: number): Change =>
  onResponse(
    () => true,
    (response) => (response.status >= 400 ? mapJson(response, map, status) : response),
  )

/** Changes a status. */
export const onStatus = (from: number, to: number): Change =>
  onResponse(
    () => true,
    (response) =>
      response.status === from
        ? new Response(response.body, { status: to, headers: response.headers })
        : response,
  )

/** Returns a parameter of a list that is valid JSON, or undefined. */
export function readParameter(
  request: ProxyRequest,
  name: 'query' | 'projection',
): JsonObject | undefined {
  try {
    return JSON.parse(request.url.searchParams.get(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Returns a request with another parameter, or without it. */
export function withParameter(request: ProxyRequest, name: string, value: unknown): ProxyRequest {
  const url = new URL(request.url)
  if (value === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, JSON.stringify(value))
  return { ...request, url }
}

/** Changes a valid parameter of lists on its way to the server. */
export const onParameter =
  (name: 'query' | 'projection', map: (value: JsonObject) => unknown): Change =>
  (request, send) => {
    const value = isList(request) ? readParameter(request, name) : undefined
    return send(value === undefined ? request : withParameter(request, name, map(value)))
  }

/** Changes every object in a value, from the inside out. */
export function mapObjects(value: unknown, map: (object: JsonObject) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, map))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, mapObjects(each, map)])
  return map(Object.fromEntries(entries) as JsonObject)
}

/** Renames a key wherever it is in a query. */
export const renameKey = (from: string, to: string): Change =>
  onParameter('query', (query) =>
    mapObjects(query, (object) =>
      Object.fromEntries(
        Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
      ),
    ),
  )

/** Changes requests on their way to the server. */
export const onRequest =
  (map: (request: ProxyRequest) => ProxyRequest): Change =>
  (request, send) =>
    send(map(request))

/** Reads the JSON of a response, whose body can still be read after it. */
export const readJson = async (response: Response): Promise<JsonObject> =>
  JSON.parse(await response.clone().text()) as JsonObject

/** Returns an object without a key. */
export const omit = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== key)) as JsonObject
