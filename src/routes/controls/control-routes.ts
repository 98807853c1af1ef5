import type { FastifyInstance } from 'fastify'

import jobClock from '../../plugins/job-clock.js'
import loopbackGuard from '../../plugins/loopback-guard.js'
import strictInput from '../../plugins/input/strict-input.js'
import type { ControlOptions } from './control-options.js'
import { explainRoute } from './explain.js'
import { faultRoutes } from './faults.js'
import { fixtureRoutes } from './fixtures.js'
import { healthRoute } from './health.js'
import { requestRoutes } from './requests.js'
import { resetRoute } from './reset.js'
import { sessionRoutes } from './sessions.js'
import { snapshotRoutes } from './snapshots.js'

/** The routes under `/__admin`, for requests from this computer, without credentials. */
export async function controlRoutes(app: FastifyInstance, options: ControlOptions): Promise<void> {
  const { store, controls, host, version, listQueries } = options
  app.register(loopbackGuard, { host, path: '/__admin' })
  app.register(strictInput)
  app.register(jobClock, { jobClock: store.jobClock })
  app.register(healthRoute, { store, version })
  app.register(resetRoute, { controls })
  app.register(sessionRoutes, { store })
  app.register(snapshotRoutes, { store, prefix: '/snapshots' })
  app.register(faultRoutes, { controls, prefix: '/faults' })
  app.register(fixtureRoutes, { store, prefix: '/fixtures' })
  app.register(explainRoute, { store, listQueries })
  app.register(requestRoutes, { controls, listQueries, prefix: '/requests' })
}
