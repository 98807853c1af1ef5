import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid, BoundExceeded } from '../errors.js'
import { isDeeper } from '../schemas/json.js'

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
      const refusal = error === null ? refuseDeep(value) : refuseText(error)
      if (refusal === undefined) return done(null, value)
      request.body = body // for the journal
      done(refusal)
    })
  })
}

export default fp(jsonBody, { name: 'json-body' })

/** How many levels a body may have, so that no walk through it runs out of stack. */
const MAX_LEVELS = 100

const refuseDeep = (value: unknown): Error | undefined =>
  isDeeper(value, MAX_LEVELS)
    ? new BoundExceeded(`the body must have at most ${MAX_LEVELS} levels of JSON`)
    : undefined

const refuseText = ({ message }: Error): Error =>
  new BodyInvalid(`the body is not JSON: ${message}`)
