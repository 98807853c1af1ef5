import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import { SUCCESS } from '../schemas/jsend.js'
import { jsonOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import { BufferPool } from './buffer-pool.js'
import { JSON_TYPE } from './jsend.js'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends one item in the success envelope. */
    sendItem(entry: Entry): FastifyReply
    /** Sends JSON texts as a list in the success envelope. */
    sendList(texts: readonly Buffer[]): FastifyReply
  }
}

const ITEM = { open: Buffer.from(SUCCESS.open), close: Buffer.from(SUCCESS.close) }
const LIST = { open: Buffer.from(`${SUCCESS.open}[`), close: Buffer.from(`]${SUCCESS.close}`) }
const COMMA = ','.charCodeAt(0)

/** Lets handlers send JSON texts that exist already, without parsing or encoding them. */
async function sendJson(app: FastifyInstance): Promise<void> {
  const pool = new BufferPool()
  app.decorateReply('sendItem', function sendItem(entry) {
    return sendTexts(this, pool, ITEM, [jsonOf(entry)])
  })
  app.decorateReply('sendList', function sendList(texts) {
    return sendTexts(this, pool, LIST, texts)
  })
}

export default fp(sendJson, { name: 'send-json' })

/** Copies the texts, with commas between them, into one pooled buffer. */
function sendTexts(
  reply: FastifyReply,
  pool: BufferPool,
  { open, close }: typeof ITEM,
  texts: readonly Buffer[],
): FastifyReply {
  let size = open.length + close.length + Math.max(0, texts.length - 1)
  for (const text of texts) size += text.length
  const body = pool.acquire(size)
  body.set(open)
  let at = open.length
  for (const text of texts) {
    if (at > open.length) body[at++] = COMMA
    body.set(text, at)
    at += text.length
  }
  body.set(close, at)
  reply.raw.once('finish', () => pool.release(body))
  return reply.type(JSON_TYPE).send(body.subarray(0, size))
}
