import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../errors.js'
import type { JsonRules } from '../json/find-violation.js'
import { InputPath } from '../json/input-path.js'
import { parseStrictJson } from '../json/strict-json.js'

/**
 * Replaces Fastify's body parsers by a strict parser of JSON. An empty body parses as `undefined`
 * and is no error, because the platform's client sends a JSON content type with every request.
 */
async function jsonBody(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseBody(body as Buffer))
    } catch (error) {
      request.body = body.toString() // for the journal
      done(error as Error)
    }
  })
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
