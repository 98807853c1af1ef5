import type { FastifyReply } from 'fastify'

import type { AppliedOutcome } from '../fault-rules.js'
import { CatalogueError, FaultFailed } from '../../../errors.js'
import { JSON_TYPE, failureText } from '../../../http/envelope.js'
import { UnpatchableError, patchPayload } from './patch-payload.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The outcome of a fault that applies to this request. */
    fault: AppliedOutcome | undefined
  }
}

/**
 * Changes the response to a request with a fault: applies its `patch` to the JSON, and sets its headers.
 * @returns the payload to send: a failure that says why, if the response can't be patched
 */
export async function changeResponse(
  fault: AppliedOutcome,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { patch, headers } = fault.outcome
  try {
    const changed = patch === undefined ? payload : await patchPayload(reply, payload, patch)
    if (headers !== undefined) reply.headers(headers as Record<string, string | string[]>)
    return changed
  } catch (error) {
    if (!(error instanceof CatalogueError || error instanceof UnpatchableError)) throw error
    // Not thrown: Fastify has no handler for an error while it sends another one.
    const failure = new FaultFailed(String(fault.rule._id), error.message)
    reply.removeHeader('content-length').removeHeader('content-encoding')
    reply.code(failure.statusCode).type(JSON_TYPE)
    return failureText(failure)
  }
}
