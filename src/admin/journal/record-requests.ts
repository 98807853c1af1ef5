import type { IncomingMessage } from 'node:http'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { MAX_BODY_BYTES, TOO_LONG } from './journal-record.js'
import type { RequestRecord } from './journal-record.js'
import { findRequestAccountId } from '../../http/request-account.js'
import { isHeapFull } from '../../work/check-heap.js'
import { readStatus } from '../../http/page-requests.js'
import type { PageRequestFilter } from '../../http/page-requests.js'
import { pathMatcher } from '../../http/path-scope.js'
import { isSandboxUnknown } from '../sandboxes/find-sandbox.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The record of this request in the journal, or undefined if it is not recorded. */
    journalRecord: RequestRecord | undefined
  }
}

/** The options of the journal plugin. */
export interface JournalOptions {
  /** The number of requests that the journal records; 0 if it is off. */
  readonly capacity: number
  /** The requests that are not recorded. */
  readonly isPageRequest: PageRequestFilter
}

/** The number of requests between two looks at the heap, which take 7 µs each. */
const CHECK_INTERVAL = 64

/**
 * Records every request but those to `/__admin` and those of the pages when it arrives, in the journal
 * of its sandbox, so that one without a response is recorded too. If the heap is full, all journals are
 * emptied: a record may have headers of 256 KiB. Registered before all hooks but that of the sandbox.
 */
async function recordRequests(
  app: FastifyInstance,
  { capacity, isPageRequest }: JournalOptions,
): Promise<void> {
  app.decorateRequest('journalRecord', undefined)
  if (capacity === 0) return
  let count = 0

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isUnrecorded(request) && !isPageRequest(request)) {
      if (count % CHECK_INTERVAL === 0 && isHeapFull()) app.sandboxes.clearJournals()
      count += 1
      request.journalRecord = toRequestRecord(request)
      request.sandbox.controls.journal.record(request.journalRecord)
    }
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { journalRecord } = request
    if (journalRecord !== undefined) {
      if (request.body !== undefined) journalRecord.body = limitBody(request)
      else recordUnreadBody(request.raw, journalRecord)
      request.sandbox.controls.journal.recordResponse(journalRecord, {
        status: readStatus(reply),
        headers: reply.getHeaders(),
        payload: request.method === 'HEAD' ? undefined : payload,
      })
    }
    done()
  })
}

export default fp(recordRequests, { name: 'journal', dependencies: ['sandbox'] })

const isControl = pathMatcher('/__admin')

/** Whether a request is to the controls, for a file of a page, or in a sandbox that is not there. */
const isUnrecorded = (request: FastifyRequest): boolean =>
  isControl(request) || request.matchedRoute.config?.isPage === true || isSandboxUnknown(request)

/** Returns the record of a request that has arrived. */
export const toRequestRecord = ({
  method,
  url,
  raw,
  matchedRoute,
  sandbox,
}: FastifyRequest): RequestRecord => ({
  number: 0,
  at: Date.now(),
  start: performance.now(),
  method,
  url,
  headers: raw.headers,
  accountId: findRequestAccountId(raw.headers, sandbox.store.sessions),
  route: matchedRoute.url,
  body: undefined,
  status: undefined,
  ms: undefined,
  response: undefined,
  fault: undefined,
  upstream: undefined,
})

const limitBody = ({ body, headers }: FastifyRequest): unknown =>
  Buffer.isBuffer(body)
    ? { bytes: body.length }
    : Number(headers['content-length'] ?? estimateSize(body)) > MAX_BODY_BYTES
      ? TOO_LONG
      : body

/** Estimates the number of bytes of a parsed body, for one that was sent without its length. */
const estimateSize = (body: unknown): number =>
  Buffer.byteLength(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/**
 * Records the body of a request that is answered before Fastify reads its body, which Node would discard.
 * The response does not wait for it.
 */
function recordUnreadBody(raw: IncomingMessage, journalRecord: RequestRecord): void {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = raw.headers
  if (raw.readableDidRead || (Number(length) === 0 && encoding === undefined)) return
  let text = ''
  raw.setEncoding('utf8')
  raw.on('data', (chunk: string) => {
    if (text.length <= MAX_BODY_BYTES) text += chunk
  })
  raw.on('end', () => {
    journalRecord.body = text.length > MAX_BODY_BYTES ? TOO_LONG : text
  })
}
