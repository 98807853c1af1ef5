import type { FastifyInstance } from 'fastify'

import auth from './auth.js'
import { userRoutes } from './user-routes.js'

/** The part of the API's version v1 that the clients of version 2018-10-01 use. */
export async function version1(app: FastifyInstance): Promise<void> {
  app.register(auth)
  app.register(userRoutes)
}
