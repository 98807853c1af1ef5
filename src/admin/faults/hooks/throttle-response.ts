import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { PendingRequests } from './pending-requests.js'

/** The options of the throttle-response plugin. */
export interface ThrottleOptions {
  readonly pendingRequests: PendingRequests
}

/** The time between two pieces of a body, in ms. */
const INTERVAL = 50

/** Sends the bodies of requests whose fault has a `bandwidth` as slowly as it says. */
async function throttleResponse(
  app: FastifyInstance,
  { pendingRequests }: ThrottleOptions,
): Promise<void> {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bandwidth = request.fault?.outcome.bandwidth
    if (bandwidth === undefined || request.method === 'HEAD') return done()
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
      reply.header('content-length', body.length)
      return done(null, throttle([body], bandwidth, pendingRequests))
    }
    if (!(payload instanceof Readable)) return done()
    done(null, throttle(payload, bandwidth, pendingRequests))
  })
}

export default fp(throttleResponse, {
  name: 'throttle-response',
  dependencies: ['change-response'],
})

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
