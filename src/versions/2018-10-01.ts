import type { FastifyInstance } from 'fastify'

import auth from '../plugins/auth.js'
import { resource } from '../routes/resource.js'
import type { ResourceOptions } from '../routes/resource.js'
import { login, logout } from '../routes/session.js'
import type { SessionOptions } from '../routes/session.js'

/** What a version is registered with: what its routes are. */
export type VersionOptions = SessionOptions & Omit<ResourceOptions, 'collection'>

/** What version 2018-10-01 of the platform's API serves. All but the login is behind auth. */
export async function version20181001(
  app: FastifyInstance,
  { store, loginEnvelope, listings }: VersionOptions,
): Promise<void> {
  app.register(login, { store, loginEnvelope })
  app.register(async (members) => {
    members.register(auth, { sessions: store.sessions })
    members.register(logout, { store })
    for (const [name, collection] of store.collections)
      members.register(resource, { store, collection, listings, prefix: `/${name}` })
  })
}
