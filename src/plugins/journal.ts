import type { IncomingMessage } from 'node:http'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { MAX_BODY } from '../controls/journal.js'
import type { Journal } from '../controls/journal.js'
import type { RequestRecord } from '../controls/journal-record.js'
import { pathMatcher } from './path-scope.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the journal takes down of this request; undefined where it takes down nothing. */
    journalRecord: RequestRecord | undefined
  }
}

/** What the journal plugin is registered with. */
export interface JournalOptions {
  readonly requests: Journal
}

/**
 * Takes down every request but those to `/__admin`, when it comes, so that one that never gets an
 * answer is there too. Registered before all other hooks.
 */
async function journal(app: FastifyInstance, { requests }: JournalOptions): Promise<void> {
  app.decorateRequest('journalRecord', undefined)
  if (requests.size === 0) return

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isAdmin(request)) {
      request.journalRecord = toRequestRecord(request)
      requests.add(request.journalRecord)
    }
    done()
  })
  app.addHook('onError', (request, _reply, _error, done) => {
    if (request.journalRecord !== undefined) keepUnreadBody(request.raw, request.journalRecord)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { journalRecord } = request
    if (journalRecord !== undefined) {
      if (request.body !== undefined) journalRecord.body = boundedBody(request)
      journalRecord.status = reply.statusCode
      journalRecord.ms = performance.now() - journalRecord.start
    }
    done()
  })
}

export default fp(journal, { name: 'journal' })

const isAdmin = pathMatcher('/__admin')

const toRequestRecord = ({ method, url, raw, routeOptions }: FastifyRequest): RequestRecord => ({
  at: Date.now(),
  start: performance.now(),
  method,
  url,
  headers: raw.headers,
  route: routeOptions.url,
  body: undefined,
  status: undefined,
  ms: undefined,
  fault: undefined,
})

/** What stands for a body that is longer than the journal keeps. */
const TOO_LONG = { tooLong: `more than ${MAX_BODY} bytes` }

const boundedBody = ({ body, headers }: FastifyRequest): unknown =>
  Number(headers['content-length'] ?? lengthOf(body)) > MAX_BODY ? TOO_LONG : body

/** About how many bytes a body has that came in chunks, which nothing else tells. */
const lengthOf = (body: unknown): number =>
  Buffer.byteLength(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/**
 * Takes down the body of a request that fails before its body is read, as Node throws it away.
 * The answer does not wait for it.
 */
function keepUnreadBody(raw: IncomingMessage, journalRecord: RequestRecord): void {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = raw.headers
  if (raw.readableDidRead || (Number(length) === 0 && encoding === undefined)) return
  let text = ''
  raw.setEncoding('utf8')
  raw.on('data', (chunk: string) => {
    if (text.length <= MAX_BODY) text += chunk
  })
  raw.on('end', () => {
    journalRecord.body = text.length > MAX_BODY ? TOO_LONG : text
  })
}
