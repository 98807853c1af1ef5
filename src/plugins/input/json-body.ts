import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../../errors.js'
import type { JsonRules } from '../../json/find-violation.js'
import { InputPath } from '../../json/input-path.js'
import { parseStrictJson } from '../../json/strict-json.js'
import { Budget } from '../../work/budget.js'
import type { Scheduler } from '../../work/scheduler.js'
import { toWork } from '../../work/work.js'

/** The options of the json-body plugin. */
export interface JsonBodyOptions {
  readonly scheduler: Scheduler
}

/** The size from which a body is parsed in a slice of its own, in bytes. */
const LARGE_BODY = 16 * 1024

/**
 * Replaces Fastify's body parsers by a strict parser of JSON. An empty body parses as `undefined`
 * and is no error, because the platform's client sends a JSON content type with every request.
 */
async function jsonBody(app: FastifyInstance, { scheduler }: JsonBodyOptions): Promise<void> {
  app.removeAllContentTypeParsers()
  const parse = async (request: FastifyRequest, body: string | Buffer): Promise<unknown> => {
    const bytes = body as Buffer
    if (bytes.length === 0) return undefined
    try {
      if (bytes.length < LARGE_BODY) return parseBody(bytes)
      return await scheduler.run(
        toWork(() => parseBody(bytes)),
        new Budget(Infinity),
      )
    } catch (error) {
      request.body = bytes.toString() // for the journal
      throw error
    }
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
}

export default fp(jsonBody, { name: 'json-body' })

const RULES: JsonRules = {
  maxDepth: 100,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/** @throws BodyInvalid, BoundExceeded */
const parseBody = (bytes: Buffer): unknown =>
  parseStrictJson(decodeUtf8(bytes), new InputPath('body'), RULES)

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    throw new BodyInvalid('body must be UTF-8')
  }
}
