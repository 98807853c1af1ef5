import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../../errors.js'
import { checkJson } from '../../json/find-violation.js'
import type { JsonRules } from '../../json/find-violation.js'
import { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { checkUniqueKeys, parseJson } from '../../json/strict-json.js'
import { runToEnd } from '../../work/work.js'
import type { Work } from '../../work/work.js'

/** The size from which a body is parsed in slices of its own, in bytes. */
const LARGE_BODY = 16 * 1024

/**
 * Replaces Fastify's body parsers by a strict parser of JSON. An empty body parses as `undefined`
 * and is no error, because the platform's client sends a JSON content type with every request.
 */
async function jsonBody(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseRequest)
}

export default fp(jsonBody, { name: 'json-body', dependencies: ['run-work'] })

async function parseRequest(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  const bytes = body as Buffer
  if (bytes.length === 0) return undefined
  try {
    const work = parseBody(bytes)
    return await (bytes.length < LARGE_BODY ? runToEnd(work) : request.runWork(work))
  } catch (error) {
    request.body = bytes.toString() // for the journal
    throw error
  }
}

const RULES: JsonRules = {
  maxDepth: 100,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/** @throws BodyInvalid, BoundExceeded */
function* parseBody(bytes: Buffer): Work<Json> {
  const path = new InputPath('body')
  const text = decodeUtf8(bytes)
  const value = parseJson(text, path)
  yield 'parsing the body'
  checkJson(value, path, RULES)
  yield 'parsing the body'
  checkUniqueKeys(value, text, path)
  return value
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    throw new BodyInvalid('body must be UTF-8')
  }
}
