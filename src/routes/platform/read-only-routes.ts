import type { FastifyInstance } from 'fastify'

import { RouteNotFound } from '../../errors.js'

/** The paths below an item that only writes have. */
const WRITE_PATHS = ['/:id/copy', '/:id/set-default', '/:id/move-to-set', '/:id/submit']

/**
 * In read-only mode, registers the paths of the writes, so that the response to a write is 405 with
 * `Allow: GET, HEAD`, and that to a GET is 404.
 */
export async function readOnlyRoutes(app: FastifyInstance): Promise<void> {
  for (const path of WRITE_PATHS) {
    app.get(path, { schema: { hide: true } }, async ({ url }) => {
      throw new RouteNotFound(url)
    })
  }
}
