import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import type { FastifyReply } from 'fastify'

import { InputPath, asError, isJsonObject, parseStrictJsonInParts } from '@materials-mock/json'
import { retryTimeouts } from '@materials-mock/query'
import type { Update } from '@materials-mock/query'
import { toWork } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { CatalogueError, FaultFailed } from '../../errors.js'
import { JSON_TYPE, failureText } from '../../http/envelope.js'
import { getStatusCode } from '../../http/status-codes.js'
import { EMPTY_STATUSES } from './compile-outcome.js'
import type { AppliedOutcome } from './fault-rules.js'
import type { PendingRequests } from './inject-fault.js'

/**
 * Applies the fault's `patch` and headers.
 * @returns a failure if the patch can't be applied
 */
export async function changeResponse(
  fault: AppliedOutcome,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { patch, headers } = fault.outcome
  try {
    const changed = patch === undefined ? payload : await patchPayload(reply, payload, patch)
    if (headers !== undefined) reply.headers(headers as Record<string, string | string[]>)
    return changed
  } catch (error) {
    if (!(error instanceof CatalogueError || error instanceof UnpatchableError)) throw error
    // Not thrown: Fastify has no handler for an error while it sends another one.
    const failure = new FaultFailed(String(fault.rule._id), error.message)
    reply.removeHeader('content-length').removeHeader('content-encoding')
    reply.code(getStatusCode(failure)).type(JSON_TYPE)
    return failureText(failure)
  }
}

class UnpatchableError extends Error {}

const MAX_PATCHED_BYTES = 4 * 1024 * 1024

/** Content types of JSON (RFC 6839, section 3.1). */
const JSON_CONTENT = /^application\/(?:[^\s;/]+\+)?json\b/i

/**
 * A response without a body stays as it is, also an upstream's to a HEAD.
 * @throws UnpatchableError
 */
async function patchPayload(
  reply: FastifyReply,
  payload: unknown,
  patch: Update,
): Promise<unknown> {
  if (EMPTY_STATUSES.has(reply.statusCode)) return payload
  const isUpstreams = payload instanceof Readable && reply.sharedBody === undefined
  if (isUpstreams && reply.request.method === 'HEAD') return payload
  const type = reply.getHeader('content-type')
  if (typeof type !== 'string')
    throw new UnpatchableError('patch needs a response of JSON, and this one has no content type')
  if (!JSON_CONTENT.test(type))
    throw new UnpatchableError(`patch needs a response of JSON, not ${type}`)
  const text =
    payload instanceof Readable
      ? await readText(payload, reply.getHeader('content-encoding'))
      : String(payload)
  reply.removeHeader('content-length').removeHeader('content-encoding')
  return text === '' ? text : reply.runWork(patchText(text, patch, reply.request.store.clock.now()))
}

async function readText(stream: Readable, encoding: unknown): Promise<string> {
  const bytes = await readStream(stream, MAX_PATCHED_BYTES).catch((error: Error) => {
    throw new UnpatchableError(`the response could not be read: ${error.message}`)
  })
  if (bytes === undefined)
    throw new UnpatchableError(`patch needs a response of at most ${MAX_PATCHED_BYTES} bytes`)
  return (await decodeContent(bytes, encoding)).toString()
}

/** Decodes a body that an upstream has sent with a `content-encoding`, although none was requested. */
async function decodeContent(bytes: Buffer, encoding: unknown): Promise<Buffer> {
  if (encoding === undefined || bytes.length === 0) return bytes
  const { brotliDecompress, unzip } = await import('node:zlib')
  const decoders: ReadonlyMap<unknown, typeof unzip> = new Map([
    ['gzip', unzip],
    ['deflate', unzip],
    ['br', brotliDecompress],
  ])
  const decode = decoders.get(encoding)
  if (decode === undefined) {
    throw new UnpatchableError(
      `patch needs a content-encoding of gzip, deflate or br, not ${String(encoding)}`,
    )
  }
  try {
    return await promisify<Buffer, object, Buffer>(decode)(bytes, {
      maxOutputLength: MAX_PATCHED_BYTES,
    })
  } catch (error) {
    throw new UnpatchableError(
      `patch can't decode the ${String(encoding)} of the response: ${asError(error).message}`,
    )
  }
}

function* patchText(text: string, patch: Update, now: number): Work<string> {
  const parsing = parseStrictJsonInParts(text, new InputPath('body', 'the response'), {
    maxDepth: 100,
  })
  const value = yield* toWork(parsing, 'parsing the body')
  if (!isJsonObject(value))
    throw new UnpatchableError('patch needs a response that is a JSON object')
  const patched = yield* retryTimeouts(() => patch(value, now))
  yield 'writing the response'
  return JSON.stringify(patched)
}

/**
 * Truncates a response: sends all headers, with the length of the whole body, then half of the body, and closes the
 * connection. For a response without a body, it closes the connection at once. Fastify must not send the response.
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

/** The time between two pieces of a body, in ms. */
const INTERVAL = 50

export function throttleResponse(
  bandwidth: number,
  reply: FastifyReply,
  payload: unknown,
  pendingRequests: PendingRequests,
): unknown {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (Buffer.isBuffer(body)) reply.header('content-length', body.length)
  else if (!(body instanceof Readable)) return body
  const chunks = Buffer.isBuffer(body) ? [body] : body
  return Readable.from(splitSlowly(chunks, bandwidth, pendingRequests), { objectMode: false })
}

/** When the server closes, the rest of a chunk is yielded at once. */
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
      if (ms > 0) await pendingRequests.delay(ms)
      yield piece
    }
  }
}

/** @returns undefined if it has more than `maxBytes` */
async function readStream(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > maxBytes) return undefined
  }
  return Buffer.concat(chunks)
}
