import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../errors.js'

/**
 * Takes JSON bodies alone. An empty one is no error, since the platform's client says that each of
 * its requests carries JSON, with a body or without; it is `undefined` then.
 */
async function jsonBody(app: FastifyInstance): Promise<void> {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, (error, value) => {
      if (error === null) return done(null, value)
      request.body = body // for the journal
      done(new BodyInvalid(`the body is not JSON: ${error.message}`))
    })
  })
}

export default fp(jsonBody, { name: 'json-body' })
