import type { ServerResponse } from 'node:http'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { PRESET_NAMES } from '@materials-mock/api'
import type { Delay, RequestItem } from '@materials-mock/api'
import { quote, withoutUndefined } from '@materials-mock/json'
import { checkEpoch, checkHeap } from '@materials-mock/work'
import { BodyTooLarge, FaultInjected, PreferenceInvalid } from '../../errors.js'
import { isPreflight } from '../../http/cors.js'
import { isWithin } from '../../http/request-target.js'
import { toRequestItem } from '../journal/journal-record.js'
import { toRequestRecord } from '../journal/record-requests.js'
import { compileOutcome } from './compile-outcome.js'
import type { AppliedOutcome, MatchableRequest } from './fault-rules.js'
import { parsePrefer } from './prefer-header.js'
import type { PreferDirectives } from './prefer-header.js'

export interface FaultOptions {
  /** The delay of a request that no fault delays. */
  readonly latency: Delay | undefined
  readonly pendingRequests: PendingRequests
  /** Finds the outcome of a mutation for a request that no fault matches. */
  readonly mutate:
    ((request: FastifyRequest) => AppliedOutcome | Promise<AppliedOutcome> | undefined) | undefined
}

/**
 * Delays a request to the API or makes it fail, by its `Prefer` header, or else by the first rule that
 * matches, or else by a mutation. It waits until the whole request has arrived: a client that leaves during a delay has
 * sent it, and it is handled. It runs before auth, so it also affects requests without a route or
 * without credentials. CORS preflights are exempt: the rules count the requests of pages, not of browsers.
 * @returns whether it has answered the request, or leaves it without a response; a promise if anything
 * may affect the request
 * @throws PreferenceInvalid, FaultInjected, BoundExceeded, and the errors of matching
 */
export function injectFault(
  request: FastifyRequest,
  reply: FastifyReply,
  options: FaultOptions,
): boolean | Promise<boolean> {
  const { latency, mutate } = options
  const isPreferred = request.headers.prefer !== undefined
  const hasRules = !request.sandbox.faults.isEmpty
  if (!hasRules && !isPreferred && latency === undefined && mutate === undefined) return false
  if (!isWithin(request.url, '/api') || isPreflight(request) || request.pageMark === 'own')
    return false
  return findAndApplyFault(request, reply, options)
}

async function findAndApplyFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { latency, pendingRequests, mutate }: FaultOptions,
): Promise<boolean> {
  const body = await readBody(request, reply)
  if (request.journalRecord !== undefined) request.journalRecord.body = body // whether or not a handler reads it
  const fault = (await findFault(request, reply, body)) ?? (await mutate?.(request))
  const delay = pickDelay(fault?.outcome.delay)
  recordFault(request, fault, delay)
  const ms = delay ?? pickDelay(latency) ?? 0
  if (ms > 0 || fault?.outcome.drop === 'hang') checkHeap() // what waits keeps its headers and its body
  if (ms > 0) await pendingRequests.delay(ms, reply.raw)
  if (answerWithFault(fault, request, reply, pendingRequests)) return true
  if (request.epoch !== undefined) checkEpoch(request.epoch) // its session has ended
  return false
}

async function findFault(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<AppliedOutcome | undefined> {
  const { prefer } = request.headers
  const preferred = typeof prefer === 'string' ? parsePrefer(prefer) : undefined
  if (preferred === undefined)
    return reply.runWork(request.sandbox.faults.match(toMatchableRequest(request, body)))
  const outcome = toPreferredOutcome(preferred, request)
  reply.header('preference-applied', preferred.applied)
  return outcome
}

/** @throws PreferenceInvalid for a name of neither a rule nor a preset */
function toPreferredOutcome(
  { fault: name, delay, status }: PreferDirectives,
  { sandbox }: FastifyRequest,
): AppliedOutcome {
  const preset = PRESET_NAMES.find((each) => each === name)
  const given = withoutUndefined({ delay, status })
  const named = name === undefined ? undefined : sandbox.faults.applyNamed(name)
  if (named !== undefined) return { ...named, outcome: { ...named.outcome, ...given } }
  if (name !== undefined && preset === undefined) {
    throw new PreferenceInvalid(
      `Prefer: fault must be the name of a rule, or one of ${PRESET_NAMES.join(', ')}, not ${quote(name)}`,
    )
  }
  const outcome = compileOutcome(withoutUndefined({ ...given, preset }))
  return { outcome, rule: { _id: null } }
}

/** Returns a delay in ms, for a range a random one. */
function pickDelay(delay: Delay | undefined): number | undefined {
  if (typeof delay !== 'object') return delay
  return delay.min + Math.floor(Math.random() * (delay.max - delay.min + 1))
}

function recordFault(
  { journalRecord }: FastifyRequest,
  fault: AppliedOutcome | undefined,
  delay: number | undefined,
): void {
  if (journalRecord === undefined || fault === undefined || fault.isMutation === true) return
  const { rule, outcome } = fault
  const { preset, status, drop, bandwidth, headers, patch } = outcome
  const parts = withoutUndefined({
    preset,
    delay,
    status,
    drop,
    bandwidth,
    headers: status === undefined && headers ? Object.keys(headers) : undefined,
    patch: patch && (true as const),
  })
  if (Object.keys(parts).length > 0)
    journalRecord.fault = { rule: rule._id, ...withoutUndefined({ name: rule.name }), ...parts }
}

/** @returns whether the request is answered, or left without a response */
function answerWithFault(
  fault: AppliedOutcome | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  pendingRequests: PendingRequests,
): boolean {
  if (fault === undefined) return false
  const { drop, status, payload, message } = fault.outcome
  if (drop === 'hang' || drop === 'reset') {
    const { journalRecord, sandbox } = request
    if (journalRecord !== undefined) sandbox.journal.recordDrop(journalRecord)
    if (drop === 'hang') pendingRequests.leaveOpen(reply.raw)
    else resetConnection(reply)
    return true
  }
  request.fault = fault
  if (status === undefined) return false
  if (payload === undefined && status >= 400)
    throw new FaultInjected(message ?? `an injected failure with status ${status}`, status)
  reply.code(status).send(payload)
  return true
}

/**
 * Resets the connection with a RST. A browser repeats a request without a word if nothing of its response has
 * arrived, so it gets an interim response first (RFC 9110, section 15.2). Without a connection (`app.inject`),
 * the request fails.
 */
function resetConnection({ raw }: FastifyReply): void {
  const { req, socket } = raw
  const isBrowser = req.headers['user-agent']?.startsWith('Mozilla/') === true
  if (socket === null || !('resetAndDestroy' in socket)) raw.destroy()
  else if (isBrowser) raw.writeContinue(() => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}

/** @param body as the journal records it */
function toMatchableRequest(request: FastifyRequest, body: unknown): MatchableRequest {
  const { method, url, accountId, sandbox } = request
  const { resources } = sandbox.journal
  const [path = ''] = url.split('?')
  let item: RequestItem | undefined
  return {
    method,
    path,
    accountId: accountId === '' ? undefined : accountId,
    toItem: () => {
      const record = { ...toRequestRecord(request), body }
      return (item ??= toRequestItem(record, resources))
    },
  }
}

/**
 * Keeps it for the handler.
 * @returns the text, what the journal has for one that is too long, or undefined for no body
 */
async function readBody(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { bodyBytes, tooLong } = request.sandbox.journal
  try {
    const bytes = await request.keepBody(reply)
    if (bytes === undefined || bytes.length === 0) return undefined
    return bytes.length > bodyBytes ? tooLong : bytes.toString()
  } catch (error) {
    return error instanceof BodyTooLarge ? tooLong : undefined
  }
}

/** The requests of one server that faults delay or never respond to. */
export class PendingRequests {
  /** What ends each delay, by its timer. */
  readonly #delays = new Map<NodeJS.Timeout, () => void>()
  readonly #open = new Set<ServerResponse>()
  #isReleased = false

  /** Whether all requests are released because the server closes. No request is delayed after that. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Waits for `ms` milliseconds, or until all requests are released, or the client of the response has left. */
  async delay(ms: number, response?: ServerResponse): Promise<void> {
    if (this.#isReleased || response?.destroyed === true) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms + 1) // a timer may be up to 1 ms early
      this.#delays.set(timer, resolve)
      response?.once('close', resolve)
    })
    clearTimeout(timer)
    this.#delays.delete(timer!)
  }

  leaveOpen(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  /** Ends all delays at once, and destroys the open responses with their connections. */
  releaseAll(): void {
    this.#isReleased = true
    for (const resolve of this.#delays.values()) resolve()
    for (const response of this.#open) response.destroy()
  }
}
