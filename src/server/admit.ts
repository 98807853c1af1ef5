import type { IncomingMessage } from 'node:http'

import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify'
import fp from 'fastify-plugin'

import { asError } from '@materials-mock/json'
import { injectFault } from '../controls/faults/inject-fault.js'
import type { FaultOptions } from '../controls/faults/inject-fault.js'
import { createRequestRecorder, markPageRequest } from '../controls/journal/record-requests.js'
import { createSandboxFinder } from '../controls/sandboxes/find-sandbox.js'
import { BoundExceeded, RequestMalformed } from '../errors.js'
import { answerPreflight } from '../http/cors.js'
import { badTarget } from '../http/envelope.js'
import { authenticate } from '../http/credentials.js'
import { ignoreTypeOfNothing } from '../http/request-body.js'
import { hasTooManyParameters, MAX_PARAMETERS } from '../http/request-target.js'
import type { ResourceRoutes } from '../http/resource-routes.js'
import { createNotFound } from './not-found.js'
import { decorateRequests } from './request-fields.js'
import type { PassOn } from './upstream/pass-on.js'

/** The options that decide which requests the server admits. */
export interface AdmitOptions extends FaultOptions {
  readonly resourceRoutes: ResourceRoutes
  readonly hasControls: boolean
  /** Whether a request came over the network. Whoever hands one to a server in the same process may call it. */
  readonly isFromNetwork: (request: IncomingMessage) => boolean
  readonly passOn: PassOn | undefined
  readonly hasFootprint: boolean
}

/** How to send more conditions than a URL may have parameters. */
const ONE_QUERY = 'send many values as one query, such as {"_id":{"$in":["a","b"]}}'

/**
 * The one hook of every request before its route and its scope's hooks: a step that answers the
 * request returns true, and ends it. Register it before any route.
 */
async function admit(app: FastifyInstance, options: AdmitOptions): Promise<void> {
  const { sandboxes, settings, callers } = app
  decorateRequests(app, sandboxes.main)
  const findSandbox = createSandboxFinder(sandboxes)
  const recordRequest = createRequestRecorder(settings.journal, options.hasFootprint, () =>
    sandboxes.makeRoom(),
  )
  const answerUnrouted = createNotFound(app, options.resourceRoutes, options.passOn)

  app.addHook('onRequest', (request, reply, done) => {
    if (options.isFromNetwork(request.raw)) request.isFromAnyPage = callers.admit(request, app.log)
    request.routeConfig = request.routeOptions.config
    findSandbox(request)
    options.resourceRoutes.assign(request)
    authenticate(request)
    ignoreTypeOfNothing(request)
    markPageRequest(request, options.hasControls)
    recordRequest(request, reply)
    checkRequestLine(request.raw)
    if (settings.cors && answerPreflight(request, reply)) return
    if (request.sandboxError !== undefined) throw request.sandboxError // a page can read it
    if (hasTooManyParameters(request.originalUrl))
      throw new BoundExceeded(`a URL must have at most ${MAX_PARAMETERS} parameters; ${ONE_QUERY}`)
    const isAnswered = injectFault(request, reply, options)
    if (isAnswered instanceof Promise) void finishLater(isAnswered, request, reply, done)
    else finish(isAnswered, request, reply, done)
  })

  function finish(
    isAnswered: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void {
    if (!isAnswered && !answerUnrouted(request, reply)) done()
  }

  async function finishLater(
    isAnswered: Promise<boolean>,
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): Promise<void> {
    try {
      finish(await isAnswered, request, reply, done)
    } catch (error) {
      done(asError(error))
    }
  }
}

export default fp(admit, { name: 'admit', dependencies: ['server-state'] })

/**
 * Checks the Host header and the target, which Node's parser does not.
 * @throws RequestMalformed
 */
function checkRequestLine({ url = '', headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1')
    throw new RequestMalformed('an HTTP/1.1 request must have a Host header')
  // A router ends the path at "#", another server may not.
  if (!url.startsWith('/') || url.includes('#')) throw badTarget(url)
}
