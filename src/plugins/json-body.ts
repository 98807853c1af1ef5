import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../errors.js'
import { scanJson } from '../schemas/json-scan.js'
import { Place } from '../schemas/place.js'

/**
 * Takes JSON bodies alone. An empty one is no error, since the platform's client says that each of
 * its requests carries JSON, with a body or without; it is `undefined` then.
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

/** How many levels a body may have, so that no walk through it runs out of stack. */
const MAX_LEVELS = 100

/**
 * What a body of JSON says. A key that it names twice is refused, as in `query`.
 * @throws BodyInvalid, BoundExceeded
 */
function parseBody(bytes: Buffer): unknown {
  const text = decode(bytes)
  scanJson(text, new Place('body'), MAX_LEVELS)
  return JSON.parse(text)
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    throw new BodyInvalid('body must be UTF-8')
  }
}
