/** A request of the page. A body that is no text is sent as JSON. */
export interface SendOptions {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Marks the requests of the page, which the server does not record and no fault delays. It answers a
 * failure with 200, so that the browser writes nothing to its console.
 */
export const PAGE_HEADER: Readonly<Record<string, string>> = { 'X-Mock-Page': 'true' }

/**
 * Marks a request of the journal that is sent again, or one of the explorer: it is one of others, but its
 * failure comes with 200.
 */
export const REPLAY_HEADER: Readonly<Record<string, string>> = { 'X-Mock-Page': 'replay' }

/** The header that has the status of a failure. */
export const STATUS_HEADER = 'x-mock-status'

/** Returns the status of a response; that of a failure that came with 200 is in a header. */
export const readStatus = ({ headers, status }: Response): number =>
  Number(headers.get(STATUS_HEADER) ?? status)

/**
 * Sends a request, and returns `data` of the response, or all of one without an envelope.
 * @throws ApiError for a failure, and if there is no answer
 */
export async function send<Data>(path: string, options: SendOptions = {}): Promise<Data> {
  const { method = 'GET', body, headers, signal } = options
  const isJson = body !== undefined && !(body instanceof URLSearchParams)
  const response = await fetch(path, {
    method,
    headers: {
      ...PAGE_HEADER,
      ...(isJson ? { 'Content-Type': 'application/json' } : undefined),
      ...headers,
    },
    body: body === undefined ? null : isJson ? toText(body) : body,
    signal: signal ?? null,
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ApiError(0, 'the server does not answer')
  })
  return readAnswer<Data>(response)
}

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

interface Envelope {
  readonly status?: string
  readonly message?: string
  readonly data?: unknown
}

interface FailureData {
  readonly code?: string
  readonly details?: readonly ErrorDetail[]
}

async function readAnswer<Data>(response: Response): Promise<Data> {
  const answer = (await response.json().catch(() => ({}))) as Envelope
  const status = readStatus(response)
  if (status < 400) return (answer.status === 'success' ? answer.data : answer) as Data
  const { code, details } = (answer.data ?? {}) as FailureData
  throw new ApiError(status, answer.message ?? response.statusText, code, details)
}

/** One of several things that are wrong, with the place as a JSON Pointer. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** A failure that the server has answered. Its status is 0 if there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = '',
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }
}
