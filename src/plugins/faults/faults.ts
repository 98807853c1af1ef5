import { Socket } from 'node:net'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { findRequestAccountId } from '../../controls/request-account.js'
import { FaultInjected } from '../../errors.js'
import type { Delay, Fault } from '../../schemas/fault.js'
import { isPreflight } from '../cors.js'
import type { PageRequestFilter } from '../page-requests.js'
import { pathMatcher } from '../path-scope.js'
import { PendingRequests } from './pending-requests.js'
import { parsePrefer } from './prefer-header.js'
import truncateResponse from './truncate-response.js'

/** The options of the faults plugin. */
export interface FaultsOptions {
  /** The path that it is for, with all paths below: `/api`. */
  readonly pathPrefix: string
  /** The delay of a request that no fault delays. */
  readonly latency: Delay | undefined
  /** The requests that no fault and no latency applies to. */
  readonly isPageRequest: PageRequestFilter
}

/**
 * Delays requests or makes them fail, by their `Prefer` header, else by the first rule that
 * matches. Registered at the root and before auth, so that requests without a route or without
 * credentials fail alike. CORS preflights are exempt: the rules count the requests of pages, not of
 * browsers.
 */
async function faults(app: FastifyInstance, options: FaultsOptions): Promise<void> {
  const { pathPrefix, latency, isPageRequest } = options
  const isInScope = pathMatcher(pathPrefix)
  const pendingRequests = new PendingRequests()
  app.register(truncateResponse)
  app.addHook('onRequest', (request, reply, done) => {
    const { faults: rules } = request.sandbox.controls
    if (rules.isEmpty && latency === undefined && request.headers.prefer === undefined)
      return done()
    if (!isInScope(request) || isPreflight(request) || isPageRequest(request)) return done()
    const fault = findFault(request, reply)
    const delay = pickDelay(fault.delay)
    recordFault(request, fault, delay)
    const ms = delay ?? pickDelay(latency) ?? 0
    const proceed = () => applyFault(fault, request, reply, pendingRequests, done)
    if (ms === 0) proceed()
    else pendingRequests.delay(ms, proceed)
  })
  app.addHook('preClose', async () => pendingRequests.releaseAll())
}

export default fp(faults, { name: 'faults', dependencies: ['sandbox'] })

/** The fault of one request, empty for none. `_id` is that of its rule, if it has one. */
type RequestFault = Pick<Fault, 'name' | 'delay' | 'status' | 'message' | 'retryAfter' | 'drop'> & {
  readonly _id?: string
}

function findFault(request: FastifyRequest, reply: FastifyReply): RequestFault {
  const { method, url, headers, sandbox } = request
  const { store, controls } = sandbox
  const preferred = typeof headers.prefer === 'string' ? parsePrefer(headers.prefer) : undefined
  if (preferred !== undefined) {
    reply.header('preference-applied', preferred.applied)
    return preferred
  }
  const [path = ''] = url.split('?')
  const accountId = findRequestAccountId(headers, store.sessions)
  return controls.faults.match({ method, path, accountId }) ?? {}
}

/** Returns a delay in ms, at random between the minimum and the maximum of a range. */
function pickDelay(delay: Delay | undefined): number | undefined {
  if (typeof delay !== 'object') return delay
  return delay.min + Math.floor(Math.random() * (delay.max - delay.min + 1))
}

function recordFault(
  { journalRecord }: FastifyRequest,
  { _id, name, status, drop }: RequestFault,
  delay: number | undefined,
): void {
  if (journalRecord === undefined || (delay ?? status ?? drop) === undefined) return
  journalRecord.fault = {
    rule: _id ?? null,
    ...(name !== undefined && { name }),
    ...(delay !== undefined && { delay }),
    ...(status !== undefined && { status }),
    ...(drop !== undefined && { drop }),
  }
}

function applyFault(
  fault: RequestFault,
  request: FastifyRequest,
  reply: FastifyReply,
  pendingRequests: PendingRequests,
  done: (error?: Error) => void,
): void {
  if (fault.drop === 'hang' || fault.drop === 'reset') {
    const { journalRecord, sandbox } = request
    if (journalRecord !== undefined) sandbox.controls.journal.recordDrop(journalRecord)
    if (fault.drop === 'hang') pendingRequests.leaveOpen(reply.raw)
    else resetConnection(reply)
    return
  }
  request.isTruncated = fault.drop === 'truncate'
  done(fault.status === undefined ? undefined : createFailure(fault, fault.status, reply))
}

/** Resets the connection with a RST. Without a connection (`app.inject`), the request fails. */
function resetConnection({ raw }: FastifyReply): void {
  if (raw.socket instanceof Socket) raw.socket.resetAndDestroy()
  else raw.destroy()
}

/** The statuses whose response has a `Retry-After` header by default (RFC 9110, RFC 6585). */
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503])

function createFailure(
  { message, retryAfter }: RequestFault,
  status: number,
  reply: FastifyReply,
): Error {
  const seconds = retryAfter ?? (RETRY_AFTER_STATUSES.has(status) ? 1 : undefined)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  const error = new FaultInjected(message ?? `an injected failure with status ${status}`)
  return Object.assign(error, { statusCode: status })
}
