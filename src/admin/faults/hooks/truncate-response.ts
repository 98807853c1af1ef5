import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'

import { readStream } from './read-stream.js'

/**
 * Truncates the response to a request whose fault says so: sends all headers, with the length of the
 * whole body, and half of the body, and then closes the connection. Without a body it closes the
 * connection at once. Fastify must not send the response.
 */
export function truncateResponse(reply: FastifyReply, payload: unknown): void {
  const { raw } = reply.hijack()
  if (reply.request.method === 'HEAD') return void raw.destroy()
  if (payload instanceof Readable) {
    readStream(payload, MAX_TRUNCATED_BYTES).then(
      (body) => sendHalf(reply, body),
      () => raw.destroy(),
    )
    return
  }
  sendHalf(reply, payload as Buffer | string | null | undefined)
}

/** The largest stream that is truncated, in bytes: its length must be known before it is sent. */
const MAX_TRUNCATED_BYTES = 16 * 1024 * 1024

function sendHalf(reply: FastifyReply, payload: Buffer | string | null | undefined): void {
  const { raw, statusCode } = reply
  if (payload === undefined || payload === null) return void raw.destroy()
  const body = Buffer.from(payload)
  raw.writeHead(statusCode, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-length': body.length,
  })
  raw.write(body.subarray(0, body.length / 2), () => raw.destroy())
}
