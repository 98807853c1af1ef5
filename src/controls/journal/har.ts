import { STATUS_CODES } from 'node:http'

import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ListQuerystring } from '@materials-mock/api'
import type { BodyState, JournalItem, JournalResponse } from '@materials-mock/api'
import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { ListQuery } from '@materials-mock/query'
import { JSON_TYPE } from '../../http/envelope.js'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { toBaseUrl } from '../../http/base-url.js'
import { sendTexts } from '../../http/send-texts.js'
import { operation, parseQuery } from '../control.js'
import type { ControlOptions } from '../control.js'
import type { Journal } from './journal.js'
import { findOldestFirst } from './journal-operations.js'
import { describeGaps } from './verify-requests.js'

/** An HTTP Archive (http://www.softwareishard.com/blog/har-12-spec/). */
const Har = Type.Object(
  { log: Type.Object({}, { additionalProperties: true }) },
  { $id: 'Har', examples: [{ log: { version: '1.2', entries: [] } }] },
)

const EXPORT = operation('requests-har', 'Export the recorded requests as HAR', Har, {
  description:
    'An HTTP Archive 1.2 without the envelope, the oldest request first. The network panel of a browser opens it. Comments say what the journal does not have.',
  querystring: Type.Pick(ListQuerystring, ['query']),
  errors: LIST_ERRORS,
  content: { 'application/json': { schema: Har } },
})

export async function harRoute(
  app: FastifyInstance,
  { listQueries, version }: Pick<ControlOptions, 'listQueries' | 'version'>,
): Promise<void> {
  app.get<{ Querystring: ListQuery }>(
    '/requests.har',
    { schema: EXPORT, preValidation: parseQuery },
    async (request, reply) => {
      const base = toBaseUrl(request)
      const { journal } = request.sandbox
      const entries = await findOldestFirst(request, listQueries, (item) =>
        JSON.stringify(toEntry(item as JournalItem, base, journal)),
      )
      const comment = ['Secrets are masked.', ...describeGaps(journal)].join(' ')
      const creator = { name: 'materials-mock', version }
      const head = JSON.stringify({ version: '1.2', creator, comment }).slice(0, -1)
      return sendTexts(reply.type(JSON_TYPE), toTexts(head, entries))
    },
  )
}

function* toTexts(head: string, entries: readonly string[]): Iterable<string> {
  yield `{"log":${head},"entries":[`
  for (const [index, entry] of entries.entries()) yield index === 0 ? entry : `,\n${entry}`
  yield ']}}'
}

/** The server has no other version. */
const HTTP_VERSION = 'HTTP/1.1'

/** Converts a recorded request to an entry. All times but `wait` are unknown. */
function toEntry(item: JournalItem, base: string, journal: Journal): JsonObject {
  const time = item.ms ?? 0
  return {
    startedDateTime: item.at,
    time,
    request: toRequest(item, base, journal),
    response: toResponse(item.response),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: time, receive: 0 },
    _resourceType: 'fetch', // Chromium's type, without which it takes each response for a script
    ...(item.fault !== null && { comment: `fault ${JSON.stringify(item.fault)}` }),
  }
}

function toRequest(item: JournalItem, base: string, journal: Journal): JsonObject {
  const { method, headers, body } = item
  const url = new URL(base + item.url.replace(/^(?!\/)/, '/')) // "*" of OPTIONS is no path
  const length = headers['content-length']
  return {
    method,
    url: url.href,
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toHeaders(headers),
    queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
    ...(body !== null && {
      postData: toPostData(body, String(headers['content-type'] ?? ''), journal),
    }),
    headersSize: -1,
    bodySize: body === null ? 0 : Number(length ?? -1),
  }
}

function toPostData(body: Json, mimeType: string, { tooLong }: Journal): JsonObject {
  if (!isJsonObject(body)) return { mimeType, text: toBodyText(body) }
  const isTooLong = body['tooLong'] === tooLong.tooLong
  if (!isTooLong && /^application\/x-www-form-urlencoded\b/i.test(mimeType))
    return { mimeType, text: String(new URLSearchParams(body as Record<string, string>)) }
  if (!isTooLong && /\bjson\b/i.test(mimeType)) return { mimeType, text: toBodyText(body) }
  return { mimeType, text: '', comment: `The journal has no text of it: ${toBodyText(body)}` }
}

const COMMENTS: Readonly<Partial<Record<BodyState | 'none', string>>> = {
  binary: 'The body is no text',
  stream: 'The body was sent in pieces, and its size is unknown',
  dropped: 'The journal has dropped the body for newer ones (8 MiB together)',
  none: 'There was no response',
}

/** What browsers write of a request without a response. */
const NO_RESPONSE = {
  status: 0,
  headers: {} as JsonObject,
  size: null,
  bodyState: 'none',
  cut: undefined,
  body: null,
} as const

function toResponse(response: JournalResponse | null): JsonObject {
  const { status, headers, size, bodyState, cut, body } = response ?? NO_RESPONSE
  const comment = cut === undefined ? COMMENTS[bodyState] : `The journal has ${cut}`
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toHeaders(headers),
    redirectURL: String(headers['location'] ?? ''),
    headersSize: -1,
    content: {
      size: size ?? 0,
      mimeType: String(headers['content-type'] ?? 'x-unknown'),
      ...(body !== null && { text: toBodyText(body) }),
    },
    bodySize: size ?? -1,
    ...(comment !== undefined && { comment }),
  }
}

const toHeaders = (headers: JsonObject): Json[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each) => ({ name, value: String(each) })),
  )

const toBodyText = (body: Json): string => (typeof body === 'string' ? body : JSON.stringify(body))
