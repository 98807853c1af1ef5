import type { FastifyInstance } from 'fastify'

import jobClock from '../../plugins/job-clock.js'
import loopbackGuard from '../../plugins/loopback-guard.js'
import strictInput from '../../plugins/input/strict-input.js'
import type { ControlOptions } from './control-options.js'
import { documentRoute } from './document.js'
import { eventRoute } from './events.js'
import { explainRoutes } from './explain.js'
import { faultRoutes } from './faults.js'
import { fixtureRoutes } from './fixtures.js'
import { healthRoute } from './health.js'
import { requestRoutes } from './requests.js'
import { resetRoute } from './reset.js'
import { sandboxRoutes } from './sandboxes.js'
import { sessionRoutes } from './sessions.js'
import { snapshotRoutes } from './snapshots.js'

/** The routes under `/__admin`, for requests from this computer, without credentials. */
export async function controlRoutes(app: FastifyInstance, options: ControlOptions): Promise<void> {
  const { host, version, readOnly, listQueries, sandboxes } = options
  app.register(loopbackGuard, { host, path: '/__admin' })
  app.register(strictInput)
  app.register(jobClock)
  app.register(healthRoute, { version, readOnly })
  app.register(resetRoute)
  app.register(sandboxRoutes, { sandboxes, prefix: '/sandboxes' })
  app.register(sessionRoutes)
  app.register(snapshotRoutes, { prefix: '/snapshots' })
  app.register(faultRoutes, { prefix: '/faults' })
  app.register(fixtureRoutes, { prefix: '/fixtures' })
  app.register(eventRoute)
  app.register(documentRoute)
  app.register(explainRoutes, { listQueries, prefix: '/explain' })
  app.register(requestRoutes, { listQueries, prefix: '/requests' })
}
