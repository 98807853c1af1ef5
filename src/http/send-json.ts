import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import type { JsonObject } from '../json/json.js'
import { SUCCESS_ENVELOPE } from './envelope-schema.js'
import { jsonOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import { BUFFER_BYTES, BodyBuffers } from './body-buffers.js'
import { JSON_TYPE } from './envelope.js'
import type { Work } from '../work/work.js'

declare module 'fastify' {
  interface FastifyReply {
    /** What the body is joined from. The parts never change, and belong to the stored items. */
    bodyParts: readonly Buffer[] | undefined
    /** Sends one item in the success envelope. */
    sendItem(entry: Entry): FastifyReply
    /** Creates and inserts an item in a slice of its own, and sends its entry. */
    sendCreated(writer: CollectionWriter, create: () => JsonObject): Promise<FastifyReply>
    /**
     * Runs a write in a slice of its own, and sends the entry that it returns. A write that times out
     * has written nothing, and runs again.
     */
    sendWritten(write: () => Entry): Promise<FastifyReply>
    /** Sends JSON texts as an array in the success envelope. */
    sendList(texts: readonly Buffer[]): FastifyReply
  }
}

/** The bytes before, between and after the texts of a response. */
interface Frame {
  readonly open: Buffer
  readonly close: Buffer
}

const ITEM: Frame = {
  open: Buffer.from(SUCCESS_ENVELOPE.open),
  close: Buffer.from(SUCCESS_ENVELOPE.close),
}
const LIST: Frame = {
  open: Buffer.from(`${SUCCESS_ENVELOPE.open}[`),
  close: Buffer.from(`]${SUCCESS_ENVELOPE.close}`),
}
const COMMA = Buffer.from(',')

/** The largest body that gets a buffer of its own, in bytes. Node takes its memory from a pool. */
const SMALL_BYTES = 4 * 1024

/** Decorates replies with methods that send stored JSON text without parsing or encoding it. */
async function sendJson(app: FastifyInstance): Promise<void> {
  const buffers = new BodyBuffers()
  app.decorateReply('bodyParts', undefined)
  app.decorateReply('sendItem', function sendItem(entry) {
    return sendTexts(this, buffers, ITEM, [jsonOf(entry)])
  })
  app.decorateReply('sendCreated', async function sendCreated(writer, create) {
    return this.sendWritten(() => writer.insert(create()))
  })
  app.decorateReply('sendWritten', async function sendWritten(write) {
    return this.sendItem(await this.runStep(() => withText(write())))
  })
  app.decorateReply('sendList', function sendList(texts) {
    return sendTexts(this, buffers, LIST, texts)
  })
}

export default fp(sendJson, { name: 'send-json', dependencies: ['run-work'] })

/** Creates the text of an entry, which takes long for a large item, in the slice of its write. */
function withText(entry: Entry): Entry {
  jsonOf(entry)
  return entry
}

/**
 * Sends the texts, separated by commas, as one buffer, which is used again when it is sent. A large body
 * is a stream of its texts: a copy would take memory as long as its reader is slow, and texts are
 * shared.
 */
function sendTexts(
  reply: FastifyReply,
  buffers: BodyBuffers,
  { open, close }: Frame,
  texts: readonly Buffer[],
): FastifyReply {
  const parts = [open]
  for (const [index, text] of texts.entries()) {
    if (index > 0) parts.push(COMMA)
    parts.push(text)
  }
  parts.push(close)
  let size = 0
  for (const { length } of parts) size += length
  reply.bodyParts = parts
  reply.type(JSON_TYPE)
  if (size <= SMALL_BYTES) return reply.send(Buffer.concat(parts, size))
  const buffer = size <= BUFFER_BYTES ? buffers.take() : undefined
  if (buffer === undefined) {
    reply.header('content-length', size)
    return reply.send(Readable.from(parts, { objectMode: false, highWaterMark: 1 }))
  }
  let offset = 0
  for (const part of parts) {
    buffer.set(part, offset)
    offset += part.length
  }
  reply.raw.on('close', () => buffers.giveBack(buffer)) // the connection has sent it, or ended its writes
  return reply.send(buffer.subarray(0, size))
}

/** Writes the JSON of each value in a step of its own, for values that may be large or many. */
export function* toTexts(values: Iterable<unknown>): Work<Buffer[]> {
  const texts: Buffer[] = []
  for (const value of values) {
    texts.push(Buffer.from(JSON.stringify(value)))
    yield 'writing the response'
  }
  return texts
}
