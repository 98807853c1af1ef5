import type { IncomingMessage, ServerResponse } from 'node:http'

import { MAX_BODY_BYTES, TOO_LONG } from '../../journal/journal-record.js'

/**
 * Reads the body of a request, and puts it back, so that whoever handles the request reads it too.
 * @returns the body as the journal records it: its text, `TOO_LONG`, or undefined if there is none
 */
export function peekBody(raw: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  const size = Number(length ?? Infinity)
  if (encoding === undefined && (size === 0 || length === undefined))
    return Promise.resolve(undefined)
  if (encoding === undefined && size > MAX_BODY_BYTES) return Promise.resolve(TOO_LONG)
  // Node discards the rest of a body only if nobody has read a part of it.
  response.once('finish', () => raw.resume())
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let received = 0
    const finish = (text: unknown): void => {
      raw.off('readable', read).off('close', close)
      resolve(text)
    }
    const read = (): void => {
      for (let chunk = raw.read() as Buffer | null; chunk !== null; chunk = raw.read() as Buffer) {
        chunks.push(chunk)
        received += chunk.length
      }
      const isComplete = raw.complete || received >= size
      if (!isComplete && received <= MAX_BODY_BYTES) return
      const body = Buffer.concat(chunks)
      if (received > 0) raw.unshift(body)
      if (received > MAX_BODY_BYTES) finish(TOO_LONG)
      else finish(received === 0 ? undefined : body.toString())
    }
    const close = (): void => finish(undefined)
    raw.on('readable', read).on('close', close)
  })
}
