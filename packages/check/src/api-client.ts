import { setTimeout } from 'node:timers/promises'

import { readCredentials } from '@materials-mock/client'
import type { Credentials, Fetch } from '@materials-mock/client'
import { findViolation } from '@materials-mock/json'
import { DeploymentUnusable } from './errors.js'

export interface ApiRequest {
  readonly method?: string
  /** The path below the versioned root, with its parameters: `/materials?query=%7B%7D`. */
  readonly path: string
  /** The versioned root (default: the root of the client). */
  readonly root?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether the signal of the client does not end the request. A write that is ended may happen unnoticed. */
  readonly isKept?: boolean
}

export interface ApiResponse {
  readonly request: ApiRequest
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The value of the body, or undefined if the body is not JSON in UTF-8. */
  readonly json: unknown
}

export interface ApiClientOptions {
  readonly fetch?: Fetch
  /** The time until a response must be complete, in ms. */
  readonly timeout?: number
  /** Ends all requests when it is aborted. */
  readonly signal?: AbortSignal
  /** The total time that the client waits for a server that asks it to wait, in ms (default: 10 minutes). */
  readonly patience?: number
  readonly onWait?: (ms: number) => void
  /** The number of consecutive requests without an answer after which no more are sent (default: 3). */
  readonly maxUnanswered?: number
}

/** The largest number of times that a request is sent again because the server asks to wait. */
const MAX_RETRIES = 5

/** Follows no redirects, and obeys the `Retry-After` of a 429 or 503. */
export class ApiClient {
  readonly #options: Required<Pick<ApiClientOptions, 'fetch' | 'timeout' | 'maxUnanswered'>> &
    ApiClientOptions
  #patience: number
  readonly #failures: unknown[] = []

  /** @param root the versioned root: `https://host/api/2018-10-01` */
  constructor(
    readonly root: string,
    {
      fetch = globalThis.fetch,
      timeout = 30_000,
      patience = 600_000,
      maxUnanswered = 3,
      ...options
    }: ApiClientOptions = {},
  ) {
    this.#patience = patience
    this.#options = { fetch, timeout, maxUnanswered, ...options }
  }

  /** Whether the server does not answer any more. Then no more requests are sent. */
  get isUnanswered(): boolean {
    return this.#failures.length >= this.#options.maxUnanswered
  }

  /**
   * @throws the error of `fetch` without a complete response, or the last one if the server is
   * silent; DeploymentUnusable for too large or too deep a body
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    if (this.isUnanswered) throw this.#failures.at(-1)
    try {
      const response = await this.#sendPatiently(request)
      this.#failures.length = 0
      return response
    } catch (error) {
      this.#failures.push(error)
      throw error
    }
  }

  async #sendPatiently(request: ApiRequest): Promise<ApiResponse> {
    for (let retries = 0; ; retries += 1) {
      const response = await this.#sendOnce(request)
      const delay = getRetryDelay(response.status, response.headers)
      if (delay === undefined || retries === MAX_RETRIES || delay > this.#patience) return response
      this.#patience -= delay
      this.#options.onWait?.(delay)
      const { signal } = this.#options
      await setTimeout(delay, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
  }

  async #sendOnce(request: ApiRequest): Promise<ApiResponse> {
    const { fetch, timeout, signal } = this.#options
    signal?.throwIfAborted()
    const deadline = AbortSignal.timeout(timeout)
    const isEndable = signal !== undefined && request.isKept !== true
    const response = await fetch((request.root ?? this.root) + request.path, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      signal: isEndable ? AbortSignal.any([signal, deadline]) : deadline,
      ...(request.headers && { headers: request.headers }),
      ...(request.body !== undefined && { body: request.body }),
    })
    const bytes = await readBody(response)
    const { status, headers } = response
    return { request, status, headers, text: new TextDecoder().decode(bytes), json: parse(bytes) }
  }
}

/** The largest number of bytes of a body: 256 MB. A longer text may not fit into the memory. */
const MAX_BODY = 256e6

/** @throws DeploymentUnusable for a body above the limit; the error of `fetch` for an incomplete one */
async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_BODY)
      throw new DeploymentUnusable(`the answer has more than ${MAX_BODY / 1e6} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The rules for the JSON of a body: the 100 levels of an item in a list, which no recursion overflows with. */
const RULES = { maxDepth: 102 }

/**
 * Parses JSON in UTF-8 (RFC 8259, section 8.1). Returns undefined for anything else.
 * @throws DeploymentUnusable for JSON that is nested too deep, or has a number that is too large
 */
function parse(bytes: Uint8Array): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
  const violation = findViolation(value, RULES)
  if (violation !== undefined) throw new DeploymentUnusable(`the answer ${violation.message}`)
  return value
}

/** The longest time that a client waits because a server asks it to, in ms. */
const MAX_DELAY = 120_000

/**
 * In ms: the `Retry-After` of a 429 or a 503, as seconds or as a date (RFC 9110, section 10.2.3).
 * Undefined without one, and above two minutes.
 */
export function getRetryDelay(
  status: number,
  headers: Headers,
  now: number = Date.now(),
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if ((status !== 429 && status !== 503) || value === undefined || value === '') return undefined
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  if (Number.isNaN(delay) || delay > MAX_DELAY) return undefined
  return Math.max(0, delay)
}

export interface Login {
  readonly username: string
  readonly password: string
}

/** Returns the request of a login: form-encoded, and without the two headers. */
export const toLoginRequest = ({ username, password }: Login): ApiRequest => ({
  method: 'POST',
  path: '/login',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ username, password }).toString(),
})

/** Returns the credentials of a successful login, or undefined if the response has none. */
export const readLogin = ({ status, json }: ApiResponse): Credentials | undefined =>
  status === 200 ? readCredentials(json) : undefined
