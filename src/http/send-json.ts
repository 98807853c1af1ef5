import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import type { JsonObject } from '../json/json.js'
import { SUCCESS_ENVELOPE } from './envelope-schema.js'
import { jsonOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import type { Work } from '../work/work.js'
import { JSON_TYPE } from './envelope.js'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends one item in the success envelope. */
    sendItem(entry: Entry): FastifyReply
    /** Runs the creation of an item in a slice of its own, inserts the item, and sends its entry. */
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

/** The largest body that is sent as one buffer, in bytes. */
const MAX_JOINED_BYTES = 8 * 1024 * 1024

/** Decorates replies with methods that send stored JSON text without parsing or encoding it. */
async function sendJson(app: FastifyInstance): Promise<void> {
  app.decorateReply('sendItem', function sendItem(entry) {
    return sendTexts(this, ITEM, [jsonOf(entry)])
  })
  app.decorateReply('sendCreated', async function sendCreated(writer, create) {
    return this.sendItem(await this.runWork(insertCreated(writer, create)))
  })
  app.decorateReply('sendWritten', async function sendWritten(write) {
    return this.sendItem(await this.runStep(() => withText(write())))
  })
  app.decorateReply('sendList', function sendList(texts) {
    return sendTexts(this, LIST, texts)
  })
}

export default fp(sendJson, { name: 'send-json', dependencies: ['run-work'] })

function* insertCreated(writer: CollectionWriter, create: () => JsonObject): Work<Entry> {
  const item = create()
  yield 'creating the item'
  return withText(writer.insert(item))
}

/** Creates the text of an entry, which takes long for a large item, in the slice of its write. */
function withText(entry: Entry): Entry {
  jsonOf(entry)
  return entry
}

/**
 * Sends the texts, separated by commas, as one buffer. A large body is a stream of its texts: a copy would
 * take memory as long as its reader is slow, and texts are shared.
 */
function sendTexts(
  reply: FastifyReply,
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
  reply.type(JSON_TYPE)
  if (size <= MAX_JOINED_BYTES) return reply.send(Buffer.concat(parts, size))
  reply.header('content-length', size)
  return reply.send(Readable.from(parts, { objectMode: false, highWaterMark: 1 }))
}
