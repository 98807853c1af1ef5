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
import { unsupportedContentType } from './envelope.js'
import { LARGE_BODY } from './read-body.js'
import { decorateBodies } from './request-body.js'

/**
 * A strict parser of JSON. An empty body is `undefined` whatever its type: the platform's client
 * sends a JSON content type with every request, and axios that of a form.
 */
async function jsonBody(app: FastifyInstance): Promise<void> {
  decorateBodies(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity')
      throw new BodyInvalid(`the body must have no Content-Encoding, not ${quote(encoding)}`)
    const bytes = await request.takeBody()
    return bytes.length === 0 ? undefined : parseBody(request, bytes)
  })
  acceptNothing(app)
}

export default fp(jsonBody, { name: 'json-body', dependencies: ['run-work'] })

/** One call of the operating system sends all parts; what is larger waits for the client. */
export function acceptNothing(app: FastifyInstance): void {
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const mayBeEmpty = isMultipart(request) || request.headers['content-length'] === undefined
    if (!mayBeEmpty || !isEmpty(await request.takeBody())) throw unsupportedContentType(request)
  })
}

const isMultipart = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/') === true

/** Whether a body has no bytes, or is a multipart without parts: its last boundary alone (RFC 2046, section 5.1.1). */
const isEmpty = (bytes: Buffer): boolean =>
  bytes.length <= MAX_BOUNDARY && /^(?:--[^\r\n]+--\s*)?$/.test(bytes.toString('latin1'))

/** The largest multipart without parts, in bytes: a boundary has at most 70 characters. */
const MAX_BOUNDARY = 80

/** @throws BodyInvalid for what is not UTF-8 */
export const decodeBody = (bytes: Buffer): string =>
  decodeUtf8(bytes, () => new InputPath('body').error('must be UTF-8')).replace(/^\uFEFF/, '')

const RULES: JsonRules = {
  maxDepth: 100,
  maxKeys: MAX_KEYS,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/**
 * A large body is parsed in slices.
 * @throws BodyInvalid, BoundExceeded
 */
async function parseBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  const path = new InputPath('body')
  const text = decodeBody(bytes)
  try {
    if (text.length < LARGE_BODY) return parseStrictJson(text, path, RULES)
    const parsing = parseStrictJsonInParts(text, path, RULES)
    return await request.runWork(toWork(parsing, 'parsing the body'))
  } catch (error) {
    request.body = text // for the journal
    throw error
  }
}
