import { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'

import { isShort, writeInParts } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'
import { SUCCESS_ENVELOPE } from './envelope-schema.js'
import { JSON_TYPE } from './envelope.js'
import { answerWhole } from './run-work.js'

/** The texts of a body, each written when it is asked for, in a step of its own. */
export type Texts = Iterable<Buffer | string>

const CHUNK_BYTES = 64 * 1024

/** The options of a stream of bytes. `Readable.from` would count objects. */
const BYTES = { objectMode: false, highWaterMark: CHUNK_BYTES }

/**
 * Sends texts as they are written: never in memory as a whole, and perhaps longer than a string can
 * be. An answer that has begun ends whole, without budget, whatever is reset.
 */
export async function sendTexts(reply: FastifyReply, texts: Texts): Promise<FastifyReply> {
  answerWhole(reply.request)
  const iterator = texts[Symbol.iterator]()
  const { bytes, isLast } = await reply.runWork(readChunk(iterator))
  return reply.send(isLast ? bytes : Readable.from(readOthers(reply, bytes, iterator), BYTES))
}

export const sendData = async (reply: FastifyReply, texts: Texts): Promise<FastifyReply> =>
  sendTexts(reply.type(JSON_TYPE), inEnvelope(texts))

function* inEnvelope(texts: Texts): Texts {
  yield SUCCESS_ENVELOPE.open
  yield* texts
  yield SUCCESS_ENVELOPE.close
}

/** Sends a value as the data of a success, or returns it for the handler to return, if it is short. */
export const sendValue = async (reply: FastifyReply, value: unknown): Promise<unknown> =>
  isShort(value) ? value : sendData(reply, writeInParts(value as Json))

interface Chunk {
  readonly bytes: Buffer
  readonly isLast: boolean
}

function* readChunk(texts: Iterator<Buffer | string>): Work<Chunk> {
  const parts: Buffer[] = []
  let size = 0
  while (size < CHUNK_BYTES) {
    const { done, value } = texts.next()
    if (done === true) return { bytes: Buffer.concat(parts), isLast: true }
    const part = typeof value === 'string' ? Buffer.from(value) : value
    parts.push(part)
    size += part.length
    yield 'writing the response'
  }
  return { bytes: Buffer.concat(parts), isLast: false }
}

async function* readOthers(
  reply: FastifyReply,
  first: Buffer,
  texts: Iterator<Buffer | string>,
): AsyncGenerator<Buffer> {
  yield first
  for (let isLast = false; !isLast;) {
    const chunk = await reply.runWork(readChunk(texts))
    isLast = chunk.isLast
    yield chunk.bytes
  }
}
