import type { FastifyInstance } from 'fastify'

import jobClock from '../http/job-clock.js'
import loopbackGuard from '../http/loopback-guard.js'
import { clockRoutes } from './clock.js'
import type { ControlOptions } from './control.js'
import { documentRoute } from './document.js'
import { eventRoute } from './events/event-routes.js'
import { explainRoutes } from './explain/explain-routes.js'
import { faultRoutes } from './faults/fault-routes.js'
import { fixtureRoutes } from './fixtures/fixture-routes.js'
import { reloadRoute } from './fixtures/reload-route.js'
import { footprintRoute } from './footprint/footprint.js'
import { healthRoute } from './health.js'
import { harRoute } from './journal/har.js'
import { requestRoutes } from './journal/journal-routes.js'
import { mcpRoute } from './mcp/mcp-route.js'
import { requestTestRoute } from './request-test.js'
import { sandboxRoutes } from './sandboxes/sandboxes.js'
import type { Sandboxes } from './sandboxes/sandboxes.js'
import { scenarioRoute, scenarioRoutes } from './scenarios.js'
import type { Scenarios } from './scenarios.js'
import { sessionRoutes } from './sessions.js'
import { resetRoute, snapshotRoutes } from './snapshots.js'
import strictInput from './strict-input.js'
import { symmetryRoute } from './symmetry.js'

/** The routes under `/__admin`, which serve requests from this computer without credentials. */
export async function controlRoutes(
  app: FastifyInstance,
  options: ControlOptions & { readonly sandboxes: Sandboxes; readonly scenarios: Scenarios },
): Promise<void> {
  const { host, version, readOnly, listQueries, lists, sandboxes, scenarios, reloader } = options
  app.register(loopbackGuard, { host, path: '/__admin' })
  app.register(strictInput)
  app.register(jobClock)
  app.register(healthRoute, { version, readOnly, lists })
  app.register(resetRoute)
  app.register(reloadRoute, { reloader })
  app.register(clockRoutes, { prefix: '/clock' })
  app.register(scenarioRoute, { scenarios })
  app.register(scenarioRoutes, { scenarios, prefix: '/scenarios' })
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
