import type { FastifyInstance } from 'fastify'

import auth from '../plugins/auth.js'
import jobClock from '../plugins/job-clock.js'
import { bankRoutes, isBank } from '../routes/platform/bank-routes.js'
import { defaultRoute } from '../routes/platform/default-route.js'
import { jobFileRoutes, jobWriteRoutes } from '../routes/platform/job-routes.js'
import { materialImport } from '../routes/platform/material-import.js'
import { fileRoutes, measurementFileRoutes } from '../routes/platform/files/file-routes.js'
import { clusterRoute, entityCountRoute } from '../routes/platform/other/other-routes.js'
import { readOnlyRoutes, registerWritePaths } from '../routes/platform/read-only-routes.js'
import { readRoutes } from '../routes/platform/read-routes.js'
import type { ReadOptions } from '../routes/platform/read-routes.js'
import { login, logout } from '../routes/platform/session-routes.js'
import type { SessionOptions } from '../routes/platform/session-routes.js'
import { setRoutes } from '../routes/platform/set-routes.js'
import { writeRoutes } from '../routes/platform/write-routes.js'

/** The options of a version: those of its routes. */
export type VersionOptions = SessionOptions &
  Omit<ReadOptions, 'resource'> & {
    /** The names of the served resources. */
    readonly resources: ReadonlySet<string>
    /** Whether to leave out the routes that write. */
    readonly readOnly: boolean
  }

/** The reading routes that only one resource has, by the resource. */
const SPECIAL_READS: Readonly<Record<string, typeof readRoutes>> = {
  jobs: jobFileRoutes,
  measurements: measurementFileRoutes,
}

/** The paths that only write files. A resource may have the first one too. */
const FILE_PATHS = ['/files', '/files/signed-urls']

/** The writing routes that only one resource has, by the resource. */
const SPECIAL_WRITES: Readonly<Record<string, typeof writeRoutes>> = {
  jobs: jobWriteRoutes,
  materials: materialImport,
}

/** Version 2018-10-01 of the API. Only the login and the counts need no credentials. */
export async function version20181001(
  app: FastifyInstance,
  { loginEnvelope, readOnly, resources, ...options }: VersionOptions,
): Promise<void> {
  app.register(jobClock)
  app.register(login, { loginEnvelope })
  app.register(entityCountRoute)
  app.register(async (protectedScope) => {
    protectedScope.register(auth)
    protectedScope.register(logout)
    protectedScope.register(clusterRoute)
    if (readOnly)
      registerWritePaths(protectedScope, FILE_PATHS.slice(resources.has('files') ? 1 : 0))
    else protectedScope.register(fileRoutes)
    for (const name of resources) {
      const resourceOptions = { ...options, resource: name, prefix: `/${name}` }
      const reads = [readRoutes, defaultRoute, SPECIAL_READS[name] ?? []].flat()
      const writes = readOnly ? [readOnlyRoutes] : findWrites(name)
      // All routes of a resource share one scope, because each scope makes the start slower.
      protectedScope.register(async (scope) => {
        for (const routes of [...reads, ...writes]) await routes(scope, resourceOptions)
      }, resourceOptions)
    }
  })
}

/** Returns the routes that write a resource. */
const findWrites = (name: string): readonly (typeof writeRoutes)[] =>
  isBank(name) ? [bankRoutes] : [writeRoutes, setRoutes, SPECIAL_WRITES[name] ?? []].flat()
