import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../errors.js'
import jobClock from '../http/job-clock.js'
import { describeRoute, refuseUnknownParameters } from '../http/strict-parameters.js'
import { isJsonObject } from '../json/json.js'
import { clockRoutes } from './clock.js'
import type { ControlOptions } from './control.js'
import { documentRoute } from './document.js'
import { eventRoute } from './events/event-routes.js'
import { explainRoutes } from './explain/explain-routes.js'
import { faultRoutes } from './faults/fault-routes.js'
import { fixtureRoutes, reloadRoute } from './fixtures/fixture-routes.js'
import { footprintRoute } from './footprint/footprint.js'
import { healthRoute } from './health.js'
import { harRoute } from './journal/har.js'
import { requestRoutes } from './journal/journal-routes.js'
import { mcpRoute } from './mcp/mcp-route.js'
import { requestTestRoute } from './request-test.js'
import { sandboxRoutes } from './sandboxes/sandboxes.js'
import type { Sandboxes } from './sandboxes/sandboxes.js'
import { scenarioRoutes } from './scenarios.js'
import type { Scenarios } from './scenarios.js'
import { sessionRoutes } from './sessions.js'
import { resetRoute, snapshotRoutes } from './snapshots.js'
import { symmetryRoute } from './symmetry.js'

/**
 * Rejects URL parameters and bodies that the schema of the route does not have, so that no input is
 * silently ignored. An empty object counts as no body.
 */
async function refuseIgnored(app: FastifyInstance): Promise<void> {
  app.addHook('preValidation', async (request) => {
    refuseUnknownParameters(request)
    if (request.routeOptions.schema?.body === undefined && !isEmpty(request.body))
      throw new BodyInvalid(`${describeRoute(request)} takes no body`)
  })
}

const strictInput = fp(refuseIgnored, { name: 'strict-input' })

const isEmpty = (body: unknown): boolean =>
  body === undefined || (isJsonObject(body) && Object.keys(body).length === 0)

/** The routes under `/__admin`, which serve requests from this computer without credentials. */
export async function controlRoutes(
  app: FastifyInstance,
  options: ControlOptions & { readonly sandboxes: Sandboxes; readonly scenarios: Scenarios },
): Promise<void> {
  const { guard, version, readOnly, listQueries, lists, sandboxes, scenarios, reloader } = options
  app.addHook('onRequest', async (request) => guard?.check(request, '/__admin'))
  app.register(strictInput)
  app.register(jobClock)
  app.register(healthRoute, { version, readOnly, lists })
  app.register(resetRoute)
  app.register(reloadRoute, { reloader })
  app.register(clockRoutes, { prefix: '/clock' })
  app.register(scenarioRoutes, { scenarios })
  app.register(sandboxRoutes, { sandboxes, prefix: '/sandboxes' })
  app.register(sessionRoutes)
  app.register(snapshotRoutes, { prefix: '/snapshots' })
  app.register(faultRoutes, { prefix: '/faults' })
  app.register(fixtureRoutes, { prefix: '/fixtures' })
  app.register(footprintRoute)
  app.register(symmetryRoute)
  app.register(eventRoute)
  app.register(documentRoute)
  app.register(mcpRoute, { version, listQueries })
  app.register(explainRoutes, { listQueries, lists, prefix: '/explain' })
  app.register(harRoute, { listQueries, version })
  app.register(requestTestRoute, { listQueries })
  app.register(requestRoutes, { listQueries, prefix: '/requests' })
}
