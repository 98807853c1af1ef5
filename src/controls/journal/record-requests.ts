import type { IncomingMessage, ServerResponse } from 'node:http'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { isHeapFull } from '@materials-mock/work'
import { isPreflight } from '../../http/cors.js'
import type { ListQueryCompiler } from '../../http/list/compile.js'
import { parametersOf } from '../../http/list/parameters.js'
import { readStatus } from '../../http/envelope.js'
import { isWithin } from '../../http/request-target.js'
import { findSharedBody } from '../../http/send-json.js'
import type { Journal } from './journal.js'
import type { RequestRecord } from './journal-record.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route serves a file of a page. Its requests are not recorded. */
    readonly isPage?: boolean
  }
}

/** The header by which the page that this server serves marks its own requests. */
const PAGE_HEADER = 'x-mock-page'

/**
 * Marks a request of the page. Where the controls may not be used, the header has no effect, so that no request can hide
 * from the journal.
 */
export function markPageRequest(request: FastifyRequest, hasControls: boolean): void {
  const mark = request.headers[PAGE_HEADER]
  if (mark === undefined || !hasControls || request.isFromAnyPage) return
  if (mark === 'true') request.pageMark = 'own'
  else if (mark === 'replay') request.pageMark = 'replay'
}

/** The number of requests between two checks of the heap, which take 7 µs each. */
const CHECK_INTERVAL = 64

/**
 * Returns a function that records a request in the footprint and in the journal of its sandbox when it
 * arrives, so that a request without a response is recorded too, and that its client has left. Requests to `/__admin` and requests of
 * the pages are not recorded. If the heap is full, all journals are emptied, because a record may have
 * headers of 256 KiB, and no deleted item can be put back any more.
 * @param capacity the number of requests that a journal records; 0 if it is off
 * @param hasFootprint whether there are footprints
 * @param makeRoom empties all journals
 */
export function createRequestRecorder(
  capacity: number,
  hasFootprint: boolean,
  makeRoom: () => void,
): (request: FastifyRequest, reply: FastifyReply) => void {
  let count = 0
  return (request, reply) => {
    if (count % CHECK_INTERVAL === 0 && isHeapFull()) makeRoom()
    count += 1
    if (capacity === 0 && !hasFootprint) return
    if (request.pageMark === 'own' || isWithin(request.url, '/__admin')) return
    if (request.routeConfig.isPage === true || isSandboxUnknown(request)) return
    const { footprint, journal } = request.sandbox
    if (hasFootprint && !isPreflight(request)) {
      request.use = footprint.count(request.method, findTemplate(request))
      request.use.addParameters(Object.keys(parametersOf(request)))
    }
    if (capacity === 0) return
    request.journalRecord = toRequestRecord(request)
    journal.record(request.journalRecord)
    recordAbort(request, reply.raw)
  }
}

/** Records that the client of a request leaves before the end of the response, if no fault closes the connection. */
function recordAbort(request: FastifyRequest, response: ServerResponse): void {
  const { journalRecord, sandbox } = request
  response.on('close', () => {
    if (journalRecord === undefined || response.writableEnded) return
    if (journalRecord.fault?.drop === undefined) sandbox.journal.recordAbort(journalRecord)
  })
}

/**
 * Whether the sandbox of a request can't be found, so that no journal may record the request. The sandbox does not
 * exist, or the request is a CORS preflight and only the request after it names the sandbox.
 */
const isSandboxUnknown = ({ sandboxError, method, headers, sandbox }: FastifyRequest): boolean =>
  sandboxError !== undefined ||
  (method === 'OPTIONS' &&
    sandbox.name === undefined &&
    /(?:^|,)\s*x-mock-sandbox\s*(?:,|$)/i.test(
      headers['access-control-request-headers']?.toString() ?? '',
    ))

const findTemplate = ({
  resourceRoute,
  isUnrouted,
  routeConfig,
}: FastifyRequest): string | undefined =>
  resourceRoute?.path ?? (isUnrouted ? undefined : routeConfig.url)

export function toRequestRecord(request: FastifyRequest): RequestRecord {
  const { method, url, raw, accountId, resourceRoute, sandbox } = request
  return {
    number: 0,
    bytes: 2 * url.length + getSize(raw, sandbox.journal), // with the parameters
    at: Date.now(),
    start: performance.now(),
    method,
    url,
    parameters: parametersOf(request),
    headers: raw.headers,
    accountId: accountId === '' ? undefined : accountId,
    route: findTemplate(request),
    readList: resourceRoute?.readList,
  }
}

/** Returns the number of bytes of the headers of a request, and of the recorded part of its body. */
function getSize({ headers, rawHeaders }: IncomingMessage, { bodyBytes }: Journal): number {
  let size = 0
  for (const text of rawHeaders) size += text.length
  const length = headers['transfer-encoding'] === undefined ? headers['content-length'] : Infinity
  return size + Math.min(Number(length ?? 0), bodyBytes)
}

/** Completes the record when the response is ready to be sent, and the footprint with it. */
export function recordResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  listQueries: ListQueryCompiler,
): void {
  const { journalRecord, sandbox, use, list } = request
  const status = readStatus(reply)
  const failure = status >= 400 && typeof payload === 'string' ? payload : undefined
  use?.add({ status, failure, list }, listQueries)
  if (journalRecord === undefined) return
  if (request.body !== undefined) journalRecord.body = limitBody(request)
  else recordUnreadBody(request.raw, journalRecord, sandbox.journal)
  sandbox.journal.recordResponse(journalRecord, {
    status,
    headers: reply.getHeaders(),
    payload: request.method === 'HEAD' ? undefined : findSharedBody(reply, payload),
  })
}

const limitBody = ({ body, headers, sandbox: { journal } }: FastifyRequest): unknown =>
  Buffer.isBuffer(body)
    ? { bytes: body.length }
    : Number(headers['content-length'] ?? estimateSize(body)) > journal.bodyBytes
      ? journal.tooLong
      : body

/** Estimates the number of bytes of a parsed body that was sent without its length. */
const estimateSize = (body: unknown): number =>
  Buffer.byteLength(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/** Records a body that Node would discard, without waiting for what has not arrived. */
function recordUnreadBody(
  raw: IncomingMessage,
  journalRecord: RequestRecord,
  { bodyBytes, tooLong }: Journal,
): void {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = raw.headers
  if (raw.readableDidRead || (Number(length) === 0 && encoding === undefined)) return
  let text = ''
  const add = (chunk: string | null): void => {
    if (text.length <= bodyBytes) text += chunk ?? ''
  }
  const record = (): void => {
    journalRecord.body = text.length > bodyBytes ? tooLong : text
  }
  raw.setEncoding('utf8')
  add(raw.read())
  if (raw.complete) record()
  raw.on('data', add)
  raw.on('end', record)
}
