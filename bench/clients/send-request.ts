import { request } from 'node:http'
import type { Agent } from 'node:http'

/** A request without its origin. */
export interface OutgoingRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The response to a request. */
export interface Outcome {
  /** Undefined if the connection ended before the response was complete. */
  readonly status: number | undefined
  /** The start of the body, at most `MAX_TEXT` bytes; without a status, why there is none. */
  readonly text: string
}

/** The part of a body that is kept, in bytes. */
const MAX_TEXT = 16 * 1024

/**
 * Sends a request. It never throws: a connection that ends is an outcome.
 * @param timeout in ms; the connection is closed if the response is not complete by then
 */
export const sendRequest = (
  agent: Agent,
  origin: string,
  { method, path, body, headers }: OutgoingRequest,
  timeout: number,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request(origin + path, { agent, method, headers: { ...headers, ...length } })
    const settle = (status: number | undefined, text: string): void => {
      clearTimeout(timer)
      resolve({ status, text })
    }
    const fail = (error?: NodeJS.ErrnoException): void => settle(undefined, error?.code ?? 'closed')
    const timer = setTimeout(() => {
      settle(undefined, 'timeout')
      outgoing.destroy()
    }, timeout)
    outgoing.on('error', fail)
    outgoing.on('close', fail)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        if (size < MAX_TEXT) chunks.push(chunk)
        size += chunk.length
      })
      response.on('error', fail)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8', 0, MAX_TEXT)
        settle(response.statusCode, text)
      })
    })
    outgoing.end(body)
  })

/** Returns the status of an outcome, with the code of an error: `400 BUDGET_EXCEEDED`, `timeout`. */
export function describeOutcome({ status, text }: Outcome): string {
  if (status === undefined) return text
  const code = status < 400 ? undefined : /"code":\s*"(\w+)"/.exec(text)?.[1]
  return code === undefined ? String(status) : `${status} ${code}`
}
