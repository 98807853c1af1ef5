import type { FastifyInstance } from 'fastify'

import { RouteNotFound } from '../errors.js'

/** Paths below an item that have writes only. */
const PATHS = ['/:id/copy', '/:id/set-default', '/:id/move-to-set', '/:id/submit']

/**
 * What stands in the place of the routes that write where there are none: their paths are known, so
 * that a write is answered with 405 and `Allow: GET, HEAD` wherever there would be one, and a GET
 * finds nothing there.
 */
export async function noWrites(app: FastifyInstance): Promise<void> {
  for (const path of PATHS)
    app.get(path, { schema: { hide: true } }, async ({ url }) => {
      throw new RouteNotFound(url)
    })
}
