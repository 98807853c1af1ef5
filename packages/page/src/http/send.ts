import { signal } from '@preact/signals'

import { ApiError, toApiError } from '@materials-mock/client'
import type { ApiErrorDetail } from '@materials-mock/client'
import { isJsonObject, tryParseJson } from '@materials-mock/json'

export interface SendOptions {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether the data of the response are its text. */
  readonly isText?: boolean
  /** Takes the headers of the response. */
  readonly onHeaders?: (headers: Headers) => void
}

/** Not recorded, not delayed by faults. A failure comes with 200: the console stays empty. */
export const PAGE_HEADER: Readonly<Record<string, string>> = { 'X-Mock-Page': 'true' }

/** A request of the journal or the explorer is one of others, but its failure comes with 200. */
export const REPLAY_HEADER: Readonly<Record<string, string>> = { 'X-Mock-Page': 'replay' }

export const STATUS_HEADER = 'x-mock-status'

/** Returns the status of a response. A header has the status of a failure that came with 200. */
export const readStatus = ({ headers, status }: Response): number =>
  Number(headers.get(STATUS_HEADER) ?? status)

export const API = '/api/2018-10-01'

/** The parameters of a URL. Those that are undefined or empty are not sent. */
export type UrlParameters = Readonly<Record<string, string | undefined>>

export const listGiven = (parameters: UrlParameters): [string, string][] =>
  Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))

export function withParameters(path: string, parameters: UrlParameters): string {
  const given = listGiven(parameters)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The number of requests that got no answer since the server has answered. */
export const failures = signal(0)

const { origin, pathname } = new URL('..', import.meta.url)

/** The path of the page, whose scripts are in a folder below it, without a slash at its end. */
export const ROOT = pathname.slice(0, -1)

let base = ROOT

/** Returns the path before `/api` and `/__admin`, with that of the sandbox that the page shows. */
export const basePath = (): string => base

/** Sends all later requests to a sandbox. An empty name stands for the server itself. */
export function chooseSandbox(name: string): void {
  base = name === '' ? ROOT : `${ROOT}/sandboxes/${encodeURIComponent(name)}`
}

/**
 * Sends a request, to the server or to another one, whose URL is whole. Returns `data` of the response, or all
 * of one without an envelope.
 * @throws ApiError for a failure, and if there is no answer that can be read
 */
export async function send<Data>(
  path: string,
  { method = 'GET', body, headers, signal: aborted, isText = false, onHeaders }: SendOptions = {},
): Promise<Data> {
  const isJson = body !== undefined && !(body instanceof URLSearchParams)
  const request = `${method} ${path.split('?')[0]}`
  const isOwn = new URL(path, origin).origin === origin
  const response = await fetch(
    path.startsWith('/api/') || path.startsWith('/__admin') ? base + path : path,
    {
      method,
      headers: {
        ...(isOwn ? PAGE_HEADER : undefined),
        ...(isJson ? { 'Content-Type': 'application/json' } : undefined),
        ...headers,
      },
      body: body === undefined ? null : isJson ? toText(body) : body,
      signal: aborted ?? null,
    },
  ).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    if (isOwn) failures.value += 1
    throw new ApiError(`there is no response to ${request}; check that its server runs`, 0)
  })
  onHeaders?.(response.headers)
  return readData(response, request, isText)
}

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const MAX_QUOTED = 60

/** @param request its method and path, for an error */
async function readData<Data>(response: Response, request: string, isText: boolean): Promise<Data> {
  const status = readStatus(response)
  const text = await response.text().catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ApiError(`the response to ${request} was cut off; try again`, 0)
  })
  if (isText && status < 400) return text as Data
  const answer = request.startsWith('HEAD ') ? null : tryParseJson(text)
  if (answer === undefined) {
    const start = JSON.stringify(text.trim().slice(0, MAX_QUOTED))
    throw new ApiError(
      `the response to ${request} must be JSON, not ${status} with ${start}`,
      status,
    )
  }
  if (status >= 400) throw toApiError(status, answer, `the response to ${request} is ${status}`)
  return (isJsonObject(answer) && answer.status === 'success' ? answer.data : answer) as Data
}

/** A mistake. Without the path, a JSON Pointer to its place, the message alone tells it. */
export type ErrorDetail = Pick<ApiErrorDetail, 'message'> & Partial<ApiErrorDetail>

export const listDetails = (error: Error): readonly ErrorDetail[] =>
  error instanceof ApiError && error.details.length > 0 ? error.details : [error]

/** Whether the server has refused what was asked, so that asking again helps only after a change. */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500
