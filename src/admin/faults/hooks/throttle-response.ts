import { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'

import type { PendingRequests } from './pending-requests.js'

/** The time between two pieces of a body, in ms. */
const INTERVAL = 50

/**
 * Returns the payload of a response whose fault has a `bandwidth`, so that it is sent as slowly as the
 * fault says.
 */
export function throttleResponse(
  bandwidth: number,
  reply: FastifyReply,
  payload: unknown,
  pendingRequests: PendingRequests,
): unknown {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    reply.header('content-length', body.length)
    return throttle([body], bandwidth, pendingRequests)
  }
  return payload instanceof Readable ? throttle(payload, bandwidth, pendingRequests) : payload
}

const throttle = (
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  bandwidth: number,
  pendingRequests: PendingRequests,
): Readable => Readable.from(splitSlowly(chunks, bandwidth, pendingRequests), { objectMode: false })

/**
 * Yields pieces of the chunks, each after the time that it takes to send. When the server closes, it
 * yields the rest of a chunk at once.
 */
async function* splitSlowly(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  bandwidth: number,
  pendingRequests: PendingRequests,
): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.floor((bandwidth * INTERVAL) / 1000))
  const start = performance.now()
  let sent = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, pendingRequests.isReleased ? chunk.length : at + size)
      at += piece.length
      sent += piece.length
      const ms = start + (sent / bandwidth) * 1000 - performance.now()
      if (ms > 0) await new Promise<void>((resolve) => pendingRequests.delay(ms, resolve))
      yield piece
    }
  }
}
