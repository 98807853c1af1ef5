import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import {
  InputPath,
  MAX_KEYS,
  decodeUtf8,
  parseStrictJson,
  parseStrictJsonInParts,
  quote,
} from '@materials-mock/json'
import type { JsonRules } from '@materials-mock/json'
import { toWork } from '@materials-mock/work'
import { BodyInvalid } from '../errors.js'
import { LARGE_BODY, createBodyReader } from './read-body.js'

/**
 * Replaces Fastify's body parsers by a strict parser of JSON. An empty body parses as `undefined`
 * and is no error, because the platform's client sends a JSON content type with every request.
 */
async function jsonBody(app: FastifyInstance): Promise<void> {
  const readBody = createBodyReader()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity')
      throw new BodyInvalid(`the body must have no Content-Encoding, not ${quote(encoding)}`)
    const bytes = await readBody(request.raw, request.routeOptions.bodyLimit)
    return bytes.length === 0 ? undefined : parseBody(request, bytes)
  })
}

export default fp(jsonBody, { name: 'json-body', dependencies: ['run-work'] })

const RULES: JsonRules = {
  maxDepth: 100,
  maxKeys: MAX_KEYS,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/**
 * Parses a body. A large body is parsed in slices.
 * @throws BodyInvalid, BoundExceeded
 */
async function parseBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  const path = new InputPath('body')
  const text = decodeUtf8(bytes, () => path.error('must be UTF-8')).replace(/^\uFEFF/, '')
  try {
    if (text.length < LARGE_BODY) return parseStrictJson(text, path, RULES)
    const parsing = parseStrictJsonInParts(text, path, RULES)
    return await request.runWork(toWork(parsing, 'parsing the body'))
  } catch (error) {
    request.body = text // for the journal
    throw error
  }
}
