import { Socket } from 'node:net'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { FaultInjected } from '../../errors.js'
import type { Delay, Fault } from '../../schemas/fault.js'
import type { Faults } from '../../controls/faults.js'
import { accountIdOf } from '../../controls/journal-record.js'
import { isPreflight } from '../cors.js'
import truncateResponse from './truncate-response.js'
import { PendingRequests } from './pending-requests.js'
import { parsePrefer } from './prefer-header.js'
import { pathMatcher as isBelow } from '../path-scope.js'

/** What the faults plugin is registered with. */
export interface FaultsOptions {
  /** The path that they are for, with all that is below it: `/api`. */
  readonly under: string
  readonly rules: Faults
  /** How long a request waits that no fault delays. */
  readonly latency: Delay | undefined
}

/**
 * Makes requests slow or fail: as they ask themselves with `Prefer`, else as the first rule says
 * that fits. Registered at the root and before auth, so that paths without a route fail alike. A
 * preflight is passed over: rules count what pages send, not what browsers ask before.
 */
async function faults(app: FastifyInstance, options: FaultsOptions): Promise<void> {
  const { under, rules, latency } = options
  const isUnder = isBelow(under)
  const heldBack = new PendingRequests()
  app.register(truncateResponse)
  app.addHook('onRequest', (request, reply, done) => {
    if (rules.isEmpty && latency === undefined && request.headers.prefer === undefined)
      return done()
    if (!isUnder(request) || isPreflight(request)) return done()
    const fault = faultOf(request, reply, rules)
    const delay = pickDelay(fault.delay)
    recordFault(request, fault, delay)
    const ms = delay ?? pickDelay(latency) ?? 0
    const goOn = () => apply(fault, request, reply, heldBack, done)
    if (ms === 0) goOn()
    else heldBack.delay(ms, goOn)
  })
  app.addHook('preClose', async () => heldBack.releaseAll())
}

export default fp(faults, { name: 'faults' })

/** What is done to one request; `_id` is that of the rule which says so. */
type Applied = Pick<Fault, 'delay' | 'status' | 'message' | 'retryAfter' | 'drop'> & {
  readonly _id?: string
}

function faultOf(request: FastifyRequest, reply: FastifyReply, rules: Faults): Applied {
  const { method, url, headers } = request
  const wish = typeof headers.prefer === 'string' ? parsePrefer(headers.prefer) : undefined
  if (wish !== undefined) {
    reply.header('preference-applied', wish.applied)
    return wish
  }
  const [path = ''] = url.split('?')
  return rules.take({ method, path, accountId: accountIdOf(request) }) ?? {}
}

function pickDelay(delay: Delay | undefined): number | undefined {
  if (typeof delay !== 'object') return delay
  return delay.min + Math.floor(Math.random() * (delay.max - delay.min + 1))
}

function recordFault(
  { journalRecord }: FastifyRequest,
  { _id, status, drop }: Applied,
  delay: number | undefined,
): void {
  if (journalRecord === undefined || (delay ?? status ?? drop) === undefined) return
  journalRecord.fault = {
    rule: _id ?? null,
    ...(delay !== undefined && { delay }),
    ...(status !== undefined && { status }),
    ...(drop !== undefined && { drop }),
  }
}

function apply(
  fault: Applied,
  request: FastifyRequest,
  reply: FastifyReply,
  heldBack: PendingRequests,
  done: (error?: Error) => void,
): void {
  if (fault.drop === 'hang') return heldBack.leaveOpen(reply.raw)
  if (fault.drop === 'reset') return resetConnection(reply)
  request.isTruncated = fault.drop === 'truncate'
  done(fault.status === undefined ? undefined : failureOf(fault, fault.status, reply))
}

/** Ends the connection with a RST; without one (`app.inject`), the request fails. */
function resetConnection({ raw }: FastifyReply): void {
  if (raw.socket instanceof Socket) raw.socket.resetAndDestroy()
  else raw.destroy()
}

/** Statuses that tell a client to come again, and when (RFC 9110 and RFC 6585). */
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503])

function failureOf({ message, retryAfter }: Applied, status: number, reply: FastifyReply): Error {
  const seconds = retryAfter ?? (RETRY_AFTER_STATUSES.has(status) ? 1 : undefined)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  const error = new FaultInjected(message ?? `an injected failure with status ${status}`)
  return Object.assign(error, { statusCode: status })
}
