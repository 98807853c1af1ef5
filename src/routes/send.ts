import type { FastifyReply } from 'fastify'

import { JSON_TYPE } from '../plugins/jsend.js'
import { SUCCESS } from '../schemas/jsend.js'
import { textOf } from '../store/collection.js'
import type { Entry } from '../store/collection.js'
import { giveBackBuffer, takeBuffer } from './body-buffers.js'

const ITEM = { open: Buffer.from(SUCCESS.open), close: Buffer.from(SUCCESS.close) }
const LIST = { open: Buffer.from(`${SUCCESS.open}[`), close: Buffer.from(`]${SUCCESS.close}`) }
const COMMA = ','.charCodeAt(0)

/** Answers with one item, as the text that is kept of it. */
export const sendItem = (reply: FastifyReply, entry: Entry): FastifyReply =>
  sendTexts(reply, ITEM, [textOf(entry)])

/** Answers with a list of what the JSON texts are of. */
export const sendList = (reply: FastifyReply, texts: readonly Buffer[]): FastifyReply =>
  sendTexts(reply, LIST, texts)

/** Sends JSON texts, with commas between them, in an envelope. */
function sendTexts(
  reply: FastifyReply,
  { open, close }: typeof ITEM,
  texts: readonly Buffer[],
): FastifyReply {
  let size = open.length + close.length + Math.max(0, texts.length - 1)
  for (const text of texts) size += text.length
  const body = takeBuffer(size)
  body.set(open)
  let at = open.length
  for (const text of texts) {
    if (at > open.length) body[at++] = COMMA
    body.set(text, at)
    at += text.length
  }
  body.set(close, at)
  reply.raw.once('finish', () => giveBackBuffer(body))
  return reply.type(JSON_TYPE).send(body.subarray(0, size))
}
