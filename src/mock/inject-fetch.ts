import type { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'

import type { FastifyInstance, InjectOptions } from 'fastify'

import { EMPTY_STATUSES } from '../admin/faults/compile-outcome.js'
import { findFetchClasses } from './members.js'

/**
 * Sends a request of the Fetch standard (https://fetch.spec.whatwg.org) to a server without a port, and
 * returns the response as `fetch` would, as soon as its headers are known.
 * @throws TypeError for a dropped connection, as `fetch` does
 * @throws the reason of the request's signal for an aborted request
 */
export async function injectFetch(app: FastifyInstance, request: Request): Promise<Response> {
  const { pathname, search, host } = new URL(request.url)
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  request.signal.throwIfAborted()
  const response = await app
    .inject({
      method: request.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), host },
      signal: request.signal,
      payloadAsStream: true,
      ...(body && { payload: body }),
    })
    .catch((cause: unknown) => {
      request.signal.throwIfAborted()
      throw new TypeError('fetch failed', { cause })
    })
  const { Headers, Response } = findFetchClasses()
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each))
  const hasNoBody = request.method === 'HEAD' || EMPTY_STATUSES.has(response.statusCode)
  const stream = response.stream()
  stream.once('close', () => response.raw.res.destroy()) // the reader is gone
  return new Response(hasNoBody ? null : toWebStream(stream, request.signal), {
    status: response.statusCode,
    statusText: response.statusMessage,
    headers,
  })
}

/**
 * Converts a body to a stream of the Fetch standard, whose errors are those of `fetch`. `Readable.toWeb`
 * throws an uncaught error if a chunk arrives after a reader has cancelled.
 */
function toWebStream(stream: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer, undefined> = stream[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        signal.throwIfAborted()
        throw new TypeError('terminated', { cause })
      })
      if (done === true) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => void stream.destroy(),
  })
}
