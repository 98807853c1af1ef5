import type { FastifyInstance } from 'fastify'

import { ResourceRoutes } from '../http/resource-routes.js'
import type { ResourceOperation } from '../http/resource-routes.js'
import auth from './auth.js'
import { COPY_FROM_BANK, isBank } from './bank-routes.js'
import { FILE_WRITES, MEASUREMENT_FILES } from './file-routes.js'
import { JOB_FILES, JOB_WRITES } from './job-routes.js'
import { clusterRoute, entityCountRoute } from './other-routes.js'
import { GET_DEFAULT, GET_ITEM, listOperation } from './read-routes.js'
import type { ReadOptions } from './read-routes.js'
import { login, logout } from './session-routes.js'
import type { SessionOptions } from './session-routes.js'
import { SET_WRITES } from './set-routes.js'
import { IMPORT, WRITES } from './write-routes.js'

export const BASE_PATH = '/api/2018-10-01'

export type ResourceOptions = ReadOptions & {
  readonly readOnly: boolean
}

/** Returns the operations of the resources. Nobody writes to a bank. */
export function createResourceRoutes({ readOnly, ...options }: ResourceOptions): ResourceRoutes {
  return new ResourceRoutes(BASE_PATH, [
    listOperation(options),
    GET_ITEM,
    GET_DEFAULT,
    JOB_FILES,
    MEASUREMENT_FILES,
    ...refuse([...WRITES, ...SET_WRITES], (resource) => readOnly || isBank(resource)),
    ...refuse([COPY_FROM_BANK, ...JOB_WRITES, IMPORT, ...FILE_WRITES], () => readOnly),
  ])
}

const refuse = (
  writes: readonly ResourceOperation[],
  isRefused: (resource: string) => boolean,
): ResourceOperation[] => writes.map((write) => ({ ...write, isRefused }))

export type VersionOptions = SessionOptions & { readonly resourceRoutes: ResourceRoutes }

/** Version 2018-10-01 of the API. Only the login and the counts need no credentials. */
export async function version20181001(
  app: FastifyInstance,
  { loginEnvelope, announcedLists, strict, resourceRoutes }: VersionOptions,
): Promise<void> {
  app.register(login, { loginEnvelope, announcedLists })
  app.register(entityCountRoute)
  app.register(async (protectedScope) => {
    protectedScope.register(auth)
    protectedScope.register(logout, { strict })
    protectedScope.register(clusterRoute)
    protectedScope.register(async (scope) => resourceRoutes.register(scope))
  })
}
