import type { FastifyReply, FastifyRequest } from 'fastify'

import type { AppliedOutcome, MatchableRequest } from '../fault-rules.js'
import { toRequestItem } from '../../journal/journal-record.js'
import type { RequestItem } from '../../journal/journal-record.js'
import { runToEnd } from '../../../work/work.js'
import { toRequestRecord } from '../../journal/record-requests.js'
import { peekBody } from './peek-body.js'

/**
 * Returns what the first rule that matches a request does. It returns a promise if that depends on
 * the body, which has to arrive, or takes time.
 * @throws FaultFailed, BudgetExceeded
 */
export function matchRules(
  request: FastifyRequest,
  reply: FastifyReply,
): AppliedOutcome | undefined | Promise<AppliedOutcome | undefined> {
  const { faults } = request.sandbox.controls
  const matchable = toMatchableRequest(request)
  if (!faults.hasSelectors) return runToEnd(faults.match(matchable))
  if (!faults.needsBody(matchable)) return reply.runWork(faults.match(matchable))
  return peekBody(request.raw, reply.raw).then((body) => {
    // The journal can't read it again if nobody else does.
    if (request.journalRecord !== undefined) request.journalRecord.body = body
    return reply.runWork(faults.match(toMatchableRequest(request, body)))
  })
}

/** @param body as the journal records it, if it is known */
function toMatchableRequest(request: FastifyRequest, body?: unknown): MatchableRequest {
  const { method, url, accountId, sandbox } = request
  const { resources } = sandbox.controls.journal
  const [path = ''] = url.split('?')
  let item: RequestItem | undefined
  return {
    method,
    path,
    accountId: accountId === '' ? undefined : accountId,
    toItem: () =>
      (item ??= toRequestItem(
        { ...toRequestRecord(request, request.routeOptions.url), body },
        resources,
      )),
  }
}
