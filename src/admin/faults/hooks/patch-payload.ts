import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import type { FastifyReply } from 'fastify'

import { EMPTY_STATUSES } from '../compile-outcome.js'
import { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import { parseStrictJsonInParts } from '../../../json/strict-json.js'
import type { Update } from '../../../query/update/compile-update.js'
import { retryTimeouts } from '../../../query/run-pattern.js'
import { toWork } from '../../../work/work.js'
import type { Work } from '../../../work/work.js'
import { readStream } from './read-stream.js'

/** A response is not one that can be patched. */
export class UnpatchableError extends Error {}

/** The largest response that is patched, in bytes. */
const MAX_PATCHED_BYTES = 4 * 1024 * 1024

/** Content types of JSON (RFC 6839, section 3.1). */
const JSON_TYPE = /^application\/(?:[^\s;/]+\+)?json\b/i

/**
 * Patches a response of JSON. One without a body stays as it is; of the response to a HEAD that an
 * upstream has sent, nothing is known.
 * @throws UnpatchableError, and what the patch throws
 */
export async function patchPayload(
  reply: FastifyReply,
  payload: unknown,
  patch: Update,
): Promise<unknown> {
  const isEmpty = payload === undefined || payload === null || payload === ''
  if (isEmpty || EMPTY_STATUSES.has(reply.statusCode)) return payload
  if (payload instanceof Readable && reply.request.method === 'HEAD') return payload
  const type = reply.getHeader('content-type')
  if (typeof type !== 'string')
    throw new UnpatchableError('patch needs a response of JSON, and this one has no content type')
  if (!JSON_TYPE.test(type))
    throw new UnpatchableError(`patch needs a response of JSON, not ${type}`)
  const text =
    payload instanceof Readable
      ? await readText(payload, reply.getHeader('content-encoding'))
      : String(payload)
  reply.removeHeader('content-length').removeHeader('content-encoding')
  return text === '' ? text : reply.runWork(patchText(text, patch))
}

async function readText(stream: Readable, encoding: unknown): Promise<string> {
  const bytes = await readStream(stream, MAX_PATCHED_BYTES).catch((error: Error) => {
    throw new UnpatchableError(`the response could not be read: ${error.message}`)
  })
  if (bytes === undefined)
    throw new UnpatchableError(`patch needs a response of at most ${MAX_PATCHED_BYTES} bytes`)
  return (await decodeContent(bytes, encoding)).toString()
}

/** Decodes what an upstream has sent with a `content-encoding`, though it was not asked for one. */
async function decodeContent(bytes: Buffer, encoding: unknown): Promise<Buffer> {
  if (encoding === undefined || bytes.length === 0) return bytes
  const { brotliDecompress, unzip } = await import('node:zlib')
  const decoders: ReadonlyMap<unknown, typeof unzip> = new Map([
    ['gzip', unzip],
    ['deflate', unzip],
    ['br', brotliDecompress],
  ])
  const decode = decoders.get(encoding)
  if (decode === undefined) {
    throw new UnpatchableError(
      `patch needs a content-encoding of gzip, deflate or br, not ${String(encoding)}`,
    )
  }
  try {
    return await promisify<Buffer, object, Buffer>(decode)(bytes, {
      maxOutputLength: MAX_PATCHED_BYTES,
    })
  } catch (error) {
    throw new UnpatchableError(
      `patch can't decode the ${String(encoding)} of the response: ${(error as Error).message}`,
    )
  }
}

function* patchText(text: string, patch: Update): Work<string> {
  const parsing = parseStrictJsonInParts(text, new InputPath('body', 'the response'), {
    maxDepth: 100,
  })
  const value = yield* toWork(parsing, 'parsing the body')
  if (!isJsonObject(value))
    throw new UnpatchableError('patch needs a response that is a JSON object')
  const patched = yield* retryTimeouts(() => patch(value))
  yield 'writing the response'
  return JSON.stringify(patched)
}
