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
import { footprintRoute } from './footprint/footprint-routes.js'
import { healthRoute } from './health.js'
import { harRoute } from './journal/har.js'
import { requestRoutes } from './journal/journal-routes.js'
import { mcpRoute } from './mcp/mcp-route.js'
import { resetRoute } from './reset.js'
import { sandboxRoutes } from './sandboxes/sandbox-routes.js'
import { scenarioRoutes } from './scenarios/scenario-routes.js'
import type { Scenarios } from './scenarios/scenarios.js'
import { sessionRoutes } from './sessions.js'
import { snapshotRoutes } from './snapshots.js'
import strictInput from './strict-input.js'

/** The routes under `/__admin`, which serve requests from this computer without credentials. */
export async function controlRoutes(
  app: FastifyInstance,
  options: ControlOptions & { readonly scenarios: Scenarios },
): Promise<void> {
  const { host, version, readOnly, listQueries, lists, sandboxes } = options
  app.register(loopbackGuard, { host, path: '/__admin' })
  app.register(strictInput)
  app.register(jobClock)
  app.register(healthRoute, { version, readOnly, lists })
  app.register(resetRoute)
  app.register(clockRoutes, { prefix: '/clock' })
  app.register(scenarioRoutes, { scenarios: options.scenarios, prefix: '/scenarios' })
  app.register(sandboxRoutes, { sandboxes, prefix: '/sandboxes' })
  app.register(sessionRoutes)
  app.register(snapshotRoutes, { prefix: '/snapshots' })
  app.register(faultRoutes, { prefix: '/faults' })
  app.register(fixtureRoutes, { prefix: '/fixtures' })
  app.register(footprintRoute)
  app.register(eventRoute)
  app.register(documentRoute)
  app.register(mcpRoute, { version, listQueries })
  app.register(explainRoutes, { listQueries, lists, prefix: '/explain' })
  app.register(harRoute, { listQueries, version })
  app.register(requestRoutes, { listQueries, prefix: '/requests' })
}
