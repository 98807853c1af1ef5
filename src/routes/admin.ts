import type { FastifyInstance } from 'fastify'

import localOnly from '../plugins/local-only.js'
import noExtras from '../plugins/no-extras.js'
import type { Store } from '../store/store.js'
import { explainRoute } from './admin-explain.js'
import { faultRoutes } from './admin-faults.js'
import { health } from './admin-health.js'
import { requestRoutes } from './admin-requests.js'
import { reset } from './admin-reset.js'
import { snapshotRoutes } from './admin-snapshots.js'
import type { ListingReader } from './listing.js'

/** What the controls are registered with. */
export interface AdminOptions {
  readonly store: Store
  /** The host that the server was told to listen on. */
  readonly host: string
  /** The version of the package. */
  readonly version: string
  readonly listings: ListingReader
}

/** What only a mock has: the controls, for requests of this computer's own, without a token. */
export async function admin(app: FastifyInstance, options: AdminOptions): Promise<void> {
  const { store, host, version, listings } = options
  app.register(localOnly, { host })
  app.register(noExtras)
  app.register(health, { store, version })
  app.register(reset, { store })
  app.register(snapshotRoutes, { store, prefix: '/snapshots' })
  app.register(faultRoutes, { store, prefix: '/faults' })
  app.register(explainRoute, { store, listings })
  app.register(requestRoutes, { store, listings, prefix: '/requests' })
}
