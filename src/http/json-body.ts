import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../errors.js'
import type { JsonRules } from '../json/find-violation.js'
import { InputPath } from '../json/input-path.js'
import { parseJsonInSteps } from '../json/parse-in-steps.js'
import { parseStrictJson } from '../json/strict-json.js'
import type { Json } from '../json/json.js'
import { checkHeap, estimateParsed } from '../work/check-heap.js'
import { needMemory, toWork } from '../work/work.js'
import type { Work } from '../work/work.js'
import { BodyReader, LARGE_BODY } from './read-body.js'

/**
 * Replaces Fastify's body parsers by a strict parser of JSON. An empty body parses as `undefined`
 * and is no error, because the platform's client sends a JSON content type with every request.
 */
async function jsonBody(app: FastifyInstance): Promise<void> {
  const reader = new BodyReader()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const chunks = await reader.read(request.raw, request.routeOptions.bodyLimit)
    return chunks.length === 0 ? undefined : parseBody(request, chunks)
  })
  // The journal has recorded it. A client that does not read its response would keep it for ever.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.body = undefined
    request.freeMemory?.()
    done()
  })
}

export default fp(jsonBody, { name: 'json-body', dependencies: ['run-work'] })

const RULES: JsonRules = {
  maxDepth: 100,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/**
 * Parses a body: a large one in slices.
 * @throws BodyInvalid, BoundExceeded
 */
async function parseBody(request: FastifyRequest, chunks: readonly Buffer[]): Promise<unknown> {
  const text = decodeUtf8(chunks)
  try {
    const path = new InputPath('body')
    if (text.length < LARGE_BODY) return parseStrictJson(text, path, RULES)
    return await request.runWork(parseLargeBody(request, text, path))
  } catch (error) {
    request.body = text // for the journal
    throw error
  }
}

/** The values of many dense bodies at once could fill the heap, so each has its memory as long as it is there. */
function* parseLargeBody(request: FastifyRequest, text: string, path: InputPath): Work<Json> {
  const needed = estimateParsed(text)
  yield* needMemory(needed, (giveBack) => request.keepMemory(giveBack))
  checkHeap(needed)
  return yield* toWork(parseJsonInSteps(text, path, RULES), 'parsing the body')
}

/**
 * Decodes the chunks one after the other: one buffer of all of them would be garbage at once.
 * @throws BodyInvalid
 */
function decodeUtf8(chunks: readonly Buffer[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
    return text + decoder.decode()
  } catch {
    throw new BodyInvalid('body must be UTF-8')
  }
}
