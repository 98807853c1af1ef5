import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { asError } from '@materials-mock/json'
import {
  changeResponse,
  throttleResponse,
  truncateResponse,
} from '../controls/faults/change-response.js'
import type { PendingRequests } from '../controls/faults/inject-fault.js'
import { recordResponse } from '../controls/journal/record-requests.js'
import type { createObserver } from '../controls/mutation/observer.js'
import type { ListQueryCompiler } from '../http/list/compile.js'

export interface ConcludeOptions {
  readonly pendingRequests: PendingRequests
  readonly save: (() => Promise<void> | undefined) | undefined
  readonly listQueries: ListQueryCompiler
  /** Writes each request and its response, for the command that has started the tests. */
  readonly observe: ReturnType<typeof createObserver> | undefined
}

/** The methods whose requests write nothing. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The one hook of every response. A write waits until it is saved; then a fault can change the
 * response, the journal records it, and a fault can slow it down or cut it in half.
 */
async function conclude(
  app: FastifyInstance,
  { pendingRequests, save, listQueries, observe }: ConcludeOptions,
): Promise<void> {
  app.addHook('preClose', async () => pendingRequests.releaseAll())

  app.addHook('onSend', (request, reply, payload, done) => {
    const isSaving = save !== undefined && !READING.has(request.method)
    if (isSaving || request.fault !== undefined) {
      void concludeLater(request, reply, payload, isSaving ? save : undefined, done)
    } else {
      record(request, reply, payload)
      done()
    }
  })

  async function concludeLater(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    saveFirst: ConcludeOptions['save'],
    done: DoneFuncWithErrOrRes,
  ): Promise<void> {
    const { fault } = request
    try {
      await saveFirst?.()
      const changed = fault === undefined ? payload : await changeResponse(fault, reply, payload)
      record(request, reply, changed)
      const { drop, bandwidth } = fault?.outcome ?? {}
      if (drop === 'truncate') truncateResponse(reply, changed)
      else if (bandwidth === undefined || request.method === 'HEAD') done(null, changed)
      else done(null, throttleResponse(bandwidth, reply, changed, pendingRequests))
    } catch (error) {
      done(asError(error))
    }
  }

  function record(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    recordResponse(request, reply, payload, listQueries)
    observe?.(request, reply, payload)
    request.body = undefined // a client that does not read its response would keep it for ever
  }
}

export default fp(conclude, { name: 'conclude', dependencies: ['admit'] })
