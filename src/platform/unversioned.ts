import type { FastifyInstance } from 'fastify'

import { STORAGE_PATH, storageRoutes } from './file-routes.js'
import { oidcRoutes } from './oidc-routes.js'
import type { OidcOptions } from './oidc-routes.js'
import { version1 } from './user-routes.js'

/** The options of the paths outside a version of the API. */
export interface UnversionedOptions extends OidcOptions {
  readonly readOnly: boolean
  /** Whether to sign in under `/oidc`. */
  readonly isOidcServed: boolean
}

/** The paths of the platform outside version 2018-10-01. */
export async function unversioned(
  app: FastifyInstance,
  { readOnly, isOidcServed, ...options }: UnversionedOptions,
): Promise<void> {
  app.register(version1, { prefix: '/api/v1' })
  app.register(storageRoutes, { readOnly, prefix: STORAGE_PATH })
  if (isOidcServed) app.register(oidcRoutes, { ...options, prefix: '/oidc' })
}
