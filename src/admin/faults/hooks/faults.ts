import { Socket } from 'node:net'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { compileOutcome } from '../compile-outcome.js'
import type { AppliedOutcome } from '../fault-rules.js'
import { FaultInjected, PreferenceInvalid } from '../../../errors.js'
import { quote } from '../../../json/quote.js'
import { PRESET_NAMES } from '../fault-outcome.js'
import type { Delay } from '../fault-outcome.js'
import { checkHeap } from '../../../work/check-heap.js'
import { isPreflight } from '../../../http/cors.js'
import type { PageRequestFilter } from '../../../http/page-requests.js'
import { pathMatcher } from '../../../http/path-scope.js'
import { matchRules } from './match-rules.js'
import { PendingRequests } from './pending-requests.js'
import { parsePrefer } from './prefer-header.js'
import type { PreferDirectives } from './prefer-header.js'
import throttleResponse from './throttle-response.js'
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
 * browsers. The plugins change-response, truncate-response and throttle-response change what is sent.
 */
async function faults(app: FastifyInstance, options: FaultsOptions): Promise<void> {
  const { pathPrefix, latency, isPageRequest } = options
  const isInScope = pathMatcher(pathPrefix)
  const pendingRequests = new PendingRequests()
  app.register(truncateResponse)
  app.register(throttleResponse, { pendingRequests })
  app.addHook('onRequest', (request, reply, done) => {
    const { faults: rules } = request.sandbox.controls
    if (rules.isEmpty && latency === undefined && request.headers.prefer === undefined)
      return done()
    if (!isInScope(request) || isPreflight(request) || isPageRequest(request)) return done()
    const apply = (fault: AppliedOutcome | undefined): void => {
      const delay = pickDelay(fault?.outcome.delay)
      recordFault(request, fault, delay)
      const ms = delay ?? pickDelay(latency) ?? 0
      const proceed = () => applyFault(fault, request, reply, pendingRequests, done)
      if (ms === 0 && fault?.outcome.drop !== 'hang') return proceed()
      try {
        checkHeap() // what waits keeps its headers and its body
      } catch (error) {
        return done(error as Error)
      }
      if (ms === 0) proceed()
      else pendingRequests.delay(ms, proceed)
    }
    const fault = findFault(request, reply)
    if (fault instanceof Promise) fault.then(apply, done)
    else apply(fault)
  })
  app.addHook('preClose', async () => pendingRequests.releaseAll())
}

export default fp(faults, { name: 'faults', dependencies: ['sandbox', 'change-response'] })

function findFault(
  request: FastifyRequest,
  reply: FastifyReply,
): AppliedOutcome | undefined | Promise<AppliedOutcome | undefined> {
  const { prefer } = request.headers
  const preferred = typeof prefer === 'string' ? parsePrefer(prefer) : undefined
  if (preferred === undefined) return matchRules(request, reply)
  const outcome = toPreferredOutcome(preferred, request)
  reply.header('preference-applied', preferred.applied)
  return outcome
}

/** @throws PreferenceInvalid for a fault that is neither a rule nor a preset */
function toPreferredOutcome(
  { fault: name, delay, status }: PreferDirectives,
  { sandbox }: FastifyRequest,
): AppliedOutcome {
  const preset = PRESET_NAMES.find((each) => each === name)
  const given = { ...(delay !== undefined && { delay }), ...(status !== undefined && { status }) }
  const named = name === undefined ? undefined : sandbox.controls.faults.applyNamed(name)
  if (named !== undefined) return { ...named, outcome: { ...named.outcome, ...given } }
  if (name !== undefined && preset === undefined) {
    throw new PreferenceInvalid(
      `Prefer: fault must be the name of a rule, or one of ${PRESET_NAMES.join(', ')}, not ${quote(name)}`,
    )
  }
  const outcome = compileOutcome({ ...given, ...(preset !== undefined && { preset }) })
  return { outcome, rule: { _id: null } }
}

/** Returns a delay in ms, at random between the minimum and the maximum of a range. */
function pickDelay(delay: Delay | undefined): number | undefined {
  if (typeof delay !== 'object') return delay
  return delay.min + Math.floor(Math.random() * (delay.max - delay.min + 1))
}

function recordFault(
  { journalRecord }: FastifyRequest,
  fault: AppliedOutcome | undefined,
  delay: number | undefined,
): void {
  if (journalRecord === undefined || fault === undefined) return
  const { rule, outcome } = fault
  const { preset, status, drop, bandwidth, headers, patch } = outcome
  const parts = {
    ...(preset !== undefined && { preset }),
    ...(delay !== undefined && { delay }),
    ...(status !== undefined && { status }),
    ...(drop !== undefined && { drop }),
    ...(bandwidth !== undefined && { bandwidth }),
    ...(status === undefined && headers !== undefined && { headers: Object.keys(headers) }),
    ...(patch !== undefined && { patch: true as const }),
  }
  if (Object.keys(parts).length === 0) return
  const { _id, name } = rule
  journalRecord.fault = { rule: _id, ...(name !== undefined && { name }), ...parts }
}

function applyFault(
  fault: AppliedOutcome | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  pendingRequests: PendingRequests,
  done: (error?: Error) => void,
): void {
  if (fault === undefined) return done()
  const { drop, status, payload, message } = fault.outcome
  if (drop === 'hang' || drop === 'reset') {
    const { journalRecord, sandbox } = request
    if (journalRecord !== undefined) sandbox.controls.journal.recordDrop(journalRecord)
    if (drop === 'hang') pendingRequests.leaveOpen(reply.raw)
    else resetConnection(reply)
    return
  }
  request.fault = fault
  if (status === undefined) return done()
  if (payload !== undefined || status < 400) return void reply.code(status).send(payload)
  const error = new FaultInjected(message ?? `an injected failure with status ${status}`)
  done(Object.assign(error, { statusCode: status }))
}

/** Resets the connection with a RST. Without a connection (`app.inject`), the request fails. */
function resetConnection({ raw }: FastifyReply): void {
  if (raw.socket instanceof Socket) raw.socket.resetAndDestroy()
  else raw.destroy()
}
