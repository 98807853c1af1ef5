import type { FastifyInstance } from 'fastify'

import jobClock from '../http/job-clock.js'
import auth from './auth.js'
import { bankRoutes, isBank } from './bank-routes.js'
import { fileRoutes, measurementFileRoutes } from './file-routes.js'
import { jobFileRoutes, jobWriteRoutes } from './job-routes.js'
import { materialImport } from './material-import.js'
import { clusterRoute, entityCountRoute } from './other-routes.js'
import { defaultRoute, readRoutes } from './read-routes.js'
import type { ReadOptions } from './read-routes.js'
import { login, logout } from './session-routes.js'
import type { SessionOptions } from './session-routes.js'
import { setRoutes } from './set-routes.js'
import { readOnlyRoutes, registerWritePaths, writeRoutes } from './write-routes.js'

/** The options of a version of the API. */
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

/** The paths that only write files. A resource may be named `files` too. */
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
