import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import type { JsonObject } from '../json/json.js'
import { SUCCESS_ENVELOPE } from './envelope-schema.js'
import { jsonOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import type { Work } from '../work/work.js'
import { BufferPool } from './buffer-pool.js'
import { onceClosed } from './once-closed.js'
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

const ITEM = {
  open: Buffer.from(SUCCESS_ENVELOPE.open),
  close: Buffer.from(SUCCESS_ENVELOPE.close),
}
const LIST = {
  open: Buffer.from(`${SUCCESS_ENVELOPE.open}[`),
  close: Buffer.from(`]${SUCCESS_ENVELOPE.close}`),
}
const COMMA = ','.charCodeAt(0)
const COMMAS = Buffer.from(',')

/** Decorates replies with methods that send stored JSON text without parsing or encoding it. */
async function sendJson(app: FastifyInstance): Promise<void> {
  const pool = new BufferPool()
  app.decorateReply('sendItem', function sendItem(entry) {
    return sendTexts(this, pool, ITEM, [jsonOf(entry)])
  })
  app.decorateReply('sendCreated', async function sendCreated(writer, create) {
    return this.sendItem(await this.runWork(insertCreated(writer, create)))
  })
  app.decorateReply('sendWritten', async function sendWritten(write) {
    return this.sendItem(await this.runStep(() => withText(write())))
  })
  app.decorateReply('sendList', function sendList(texts) {
    return sendTexts(this, pool, LIST, texts)
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
 * Copies the texts, separated by commas, into one pooled buffer and sends it. If there is none, as for
 * a list that is too large, it is sent text by text: a copy would take memory as long as its reader is
 * slow.
 */
function sendTexts(
  reply: FastifyReply,
  pool: BufferPool,
  { open, close }: typeof ITEM,
  texts: readonly Buffer[],
): FastifyReply {
  let size = open.length + close.length + Math.max(0, texts.length - 1)
  for (const text of texts) size += text.length
  const body = pool.acquire(size)
  if (body === undefined) {
    const parts = [open, ...texts.flatMap((text, index) => (index === 0 ? [text] : [COMMAS, text]))]
    reply.header('content-length', size)
    return reply
      .type(JSON_TYPE)
      .send(Readable.from([...parts, close], { objectMode: false, highWaterMark: 1 }))
  }
  body.set(open)
  let offset = open.length
  for (const text of texts) {
    if (offset > open.length) body[offset++] = COMMA
    body.set(text, offset)
    offset += text.length
  }
  body.set(close, offset)
  reply.type(JSON_TYPE).send(body.subarray(0, size))
  onceClosed(reply.raw, () => pool.release(body)) // the connection has sent it, or ended its writes
  return reply
}
