import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import type { JsonObject } from '../json/json.js'
import { checkPageSize, jsonOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import type { WriteContext } from '../store/writes/owner.js'
import type { Work } from '../work/work.js'
import { SUCCESS_ENVELOPE } from './envelope-schema.js'
import { JSON_TYPE } from './envelope.js'

declare module 'fastify' {
  interface FastifyReply {
    /** The parts of the body of a large list, which is sent as a stream of them. */
    streamedParts: readonly Buffer[] | undefined
    /** Sends one item in the success envelope. */
    sendItem(entry: Entry): FastifyReply
    /** Creates and inserts an item of a resource in a slice of its own, and sends its entry. */
    sendCreated(
      resource: string,
      create: (context: WriteContext) => JsonObject,
    ): Promise<FastifyReply>
    /**
     * Runs a write of the request's account in a slice of its own, and sends the entry that it returns.
     * A write that times out has written nothing, and runs again.
     */
    sendWritten(resource: string, write: (writer: CollectionWriter) => Entry): Promise<FastifyReply>
    /** Sends JSON texts as an array in the success envelope. */
    sendList(texts: readonly Buffer[]): FastifyReply
  }
}

const ITEM_OPEN = Buffer.from(SUCCESS_ENVELOPE.open)
const ITEM_CLOSE = Buffer.from(SUCCESS_ENVELOPE.close)
const LIST_OPEN = Buffer.from(`${SUCCESS_ENVELOPE.open}[`)
const LIST_CLOSE = Buffer.from(`]${SUCCESS_ENVELOPE.close}`)
const COMMA = Buffer.from(',')

/** The size of the largest list that is copied into one buffer, in bytes. A list of 50 items has 72,000 bytes. */
const MAX_COPIED_BYTES = 512 * 1024

/** Decorates replies with methods that send stored JSON text without parsing or encoding it. */
async function sendJson(app: FastifyInstance): Promise<void> {
  app.decorateReply('streamedParts', undefined)
  app.decorateReply('sendItem', function sendItem(entry) {
    return sendTexts(this, ITEM_OPEN, [jsonOf(entry)], ITEM_CLOSE)
  })
  app.decorateReply('sendCreated', async function sendCreated(resource, create) {
    return this.sendWritten(resource, (writer) => writer.insert(create(writer.context)))
  })
  app.decorateReply('sendWritten', async function sendWritten(resource, write) {
    const { store, accountId } = this.request
    const run = (): Entry => withText(write(store.writer(resource, accountId)))
    return this.sendItem(await this.runStep(run))
  })
  app.decorateReply('sendList', function sendList(texts) {
    return sendTexts(this, LIST_OPEN, texts, LIST_CLOSE)
  })
}

export default fp(sendJson, { name: 'send-json', dependencies: ['run-work'] })

/** Creates the text of an entry in the slice of its write, because a large item takes long. */
function withText(entry: Entry): Entry {
  jsonOf(entry)
  return entry
}

/**
 * Sends texts with commas between them as one buffer. Large ones are sent as a stream: they are shared, but
 * a copy would take memory as long as the client is slow.
 */
function sendTexts(
  reply: FastifyReply,
  open: Buffer,
  texts: readonly Buffer[],
  close: Buffer,
): FastifyReply {
  let size = open.length + close.length + Math.max(0, texts.length - 1)
  for (const { length } of texts) size += length
  reply.type(JSON_TYPE)
  if (size <= MAX_COPIED_BYTES) return reply.send(joinTexts(open, texts, close, size))
  const parts = texts.flatMap((text, index) => (index === 0 ? [text] : [COMMA, text]))
  reply.streamedParts = [open, ...parts, close]
  reply.header('content-length', size)
  return reply.send(Readable.from(reply.streamedParts, { objectMode: false, highWaterMark: 1 }))
}

/** Copies texts into one buffer of their size, by one loop: lists are the most frequent requests. */
function joinTexts(open: Buffer, texts: readonly Buffer[], close: Buffer, size: number): Buffer {
  const joined = Buffer.allocUnsafe(size)
  joined.set(open)
  let end = open.length
  for (const text of texts) {
    if (end > open.length) joined[end++] = COMMA[0] as number
    joined.set(text, end)
    end += text.length
  }
  joined.set(close, end)
  return joined
}

/** Returns the body that a reply sends, in one piece also if it is sent as a stream of parts. */
export const joinedPayload = ({ streamedParts }: FastifyReply, payload: unknown): unknown =>
  streamedParts === undefined || typeof payload === 'string'
    ? payload
    : Buffer.concat(streamedParts)

/**
 * Writes the JSON of each value in a step of its own, because values may be large or many.
 * @throws BoundExceeded for a list of more than 64 MiB
 */
export function* toTexts(values: Iterable<unknown>): Work<Buffer[]> {
  const texts: Buffer[] = []
  let bytes = 0
  for (const value of values) {
    const text = Buffer.from(JSON.stringify(value))
    bytes += text.length
    checkPageSize(bytes, 'have fewer entries, or shorter names')
    texts.push(text)
    yield 'writing the response'
  }
  return texts
}
