import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Use } from '@materials-mock/api'
import { findSharedBody } from '../../http/send-json.js'
import { toBody, toBytes } from '../journal/journal-record.js'

/** A line that an observer writes of each response. Sorted lines are in the order of their URLs. */
export interface Observation {
  readonly url: string
  /** The text of a success, of some requests to each route. */
  readonly answer?: string | undefined
  readonly use: Use
}

/** The answers of each route that an observer writes, and the characters of one. */
const MAX_ANSWERS = 20
const MAX_LENGTH = 4 * 1024 * 1024

/** Writes each request at once, because the tests may end the process at any time. */
export function createObserver(
  folder: string,
): (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void {
  const file = join(folder, `${randomUUID()}.jsonl`)
  const counts = new Map<string, number>()
  return ({ use, originalUrl: url }, reply, payload) => {
    if (use === undefined) return
    const key = `${use.method} ${use.path}`
    const count = counts.get(key) ?? 0
    const body = toBody(findSharedBody(reply, payload))
    const text = body && toBytes(body).toString()
    const isWritten =
      count < MAX_ANSWERS && reply.statusCode < 300 && (text?.length ?? Infinity) < MAX_LENGTH
    if (isWritten) counts.set(key, count + 1)
    const observation: Observation = { url, ...(isWritten && { answer: text }), use: use.toJSON() }
    appendFileSync(file, `${JSON.stringify(observation)}\n`)
  }
}
