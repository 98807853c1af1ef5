import type { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import type { AppliedOutcome } from '../../controls/faults.js'
import { CatalogueError, FaultFailed } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import type { Update } from '../../query/update/compile-update.js'
import { retryTimeouts } from '../../query/run-pattern.js'
import type { Work } from '../../work/work.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The outcome of a fault that applies to this request. */
    fault: AppliedOutcome | undefined
  }
}

/**
 * Changes the responses of requests with a fault: applies its `patch` to the JSON, and sets its
 * headers. Registered before the journal, which so records what is sent.
 */
async function changeResponse(app: FastifyInstance): Promise<void> {
  app.decorateRequest('fault', undefined)
  app.addHook('onSend', (request, reply, payload, done): Promise<unknown> | void => {
    const { fault } = request
    if (fault === undefined) return done()
    const { patch } = fault.outcome
    if (patch !== undefined) return changePayload(request, reply, payload, patch)
    setHeaders(fault, reply)
    done()
  })
}

export default fp(changeResponse, { name: 'change-response' })

function setHeaders({ outcome }: AppliedOutcome, reply: FastifyReply): void {
  const { headers } = outcome
  if (headers !== undefined) reply.headers(headers as Record<string, string | string[]>)
}

/** @throws FaultFailed if the response can't be patched */
async function changePayload(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  patch: Update,
): Promise<unknown> {
  const fault = request.fault as AppliedOutcome
  try {
    const patched = await patchPayload(reply, payload, patch)
    setHeaders(fault, reply)
    return patched
  } catch (error) {
    request.fault = undefined // so that the failure is not patched
    if (error instanceof CatalogueError || error instanceof UnpatchableError)
      throw new FaultFailed(String(fault.rule._id), error.message)
    throw error
  }
}

/** The largest response that is patched, in bytes. */
const MAX_PATCHED_BYTES = 16 * 1024 * 1024

/** Patches a response of JSON. One without a body stays as it is. */
async function patchPayload(
  reply: FastifyReply,
  payload: unknown,
  patch: Update,
): Promise<unknown> {
  if (payload === undefined || payload === null || payload === '') return payload
  const type = String(reply.getHeader('content-type'))
  if (!/^application\/json\b/i.test(type))
    throw new UnpatchableError(`patch needs a response of JSON, not ${type}`)
  const text = isText(payload) ? payload.toString() : await readStream(payload as Readable)
  if (text === '') return text
  reply.removeHeader('content-length')
  return reply.runWork(patchText(text, patch))
}

/** A response is not one that can be patched. */
class UnpatchableError extends Error {}

const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload)

async function readStream(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk as Buffer))
    size += (chunk as Buffer).length
    if (size > MAX_PATCHED_BYTES)
      throw new UnpatchableError(`patch needs a response of at most ${MAX_PATCHED_BYTES} bytes`)
  }
  return Buffer.concat(chunks).toString()
}

function* patchText(text: string, patch: Update): Work<string> {
  const value = JSON.parse(text) as Json
  yield 'writing the response'
  if (!isJsonObject(value))
    throw new UnpatchableError('patch needs a response that is a JSON object')
  const patched = yield* retryTimeouts(() => patch(value))
  yield 'writing the response'
  return JSON.stringify(patched)
}
