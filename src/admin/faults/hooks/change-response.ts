import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import type { AppliedOutcome } from '../fault-rules.js'
import { CatalogueError, FaultFailed } from '../../../errors.js'
import type { Update } from '../../../query/update/compile-update.js'
import { JSON_TYPE, failureText } from '../../../http/envelope.js'
import { UnpatchableError, patchPayload } from './patch-payload.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The outcome of a fault that applies to this request. */
    fault: AppliedOutcome | undefined
  }
}

/**
 * Changes the responses of requests with a fault: applies its `patch` to the JSON, and sets its
 * headers. Registered before the journal, which so records what is sent.
 */
async function changeResponse(app: FastifyInstance): Promise<void> {
  app.decorateRequest('fault', undefined)
  app.addHook('onSend', (request, reply, payload, done): Promise<unknown> | void => {
    const { fault } = request
    if (fault === undefined) return done()
    const { patch } = fault.outcome
    if (patch !== undefined) return changePayload(request, reply, payload, patch)
    setHeaders(fault, reply)
    done()
  })
}

export default fp(changeResponse, { name: 'change-response' })

function setHeaders({ outcome }: AppliedOutcome, reply: FastifyReply): void {
  const { headers } = outcome
  if (headers !== undefined) reply.headers(headers as Record<string, string | string[]>)
}

/** Returns the patched payload, or a failure that says why the response can't be patched. */
async function changePayload(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  patch: Update,
): Promise<unknown> {
  const fault = request.fault as AppliedOutcome
  try {
    const patched = await patchPayload(reply, payload, patch)
    setHeaders(fault, reply)
    return patched
  } catch (error) {
    if (!(error instanceof CatalogueError || error instanceof UnpatchableError)) throw error
    // Not thrown: Fastify has no handler for an error while it sends another one.
    const failure = new FaultFailed(String(fault.rule._id), error.message)
    reply.removeHeader('content-length').removeHeader('content-encoding')
    reply.code(failure.statusCode).type(JSON_TYPE)
    return failureText(failure)
  }
}
