import type { FastifyInstance } from 'fastify'

import { RouteNotFound } from '../../errors.js'

/** The paths below an item that have writes only. */
const PATHS = ['/:id/copy', '/:id/set-default', '/:id/move-to-set', '/:id/submit']

/**
 * In read-only mode, registers the paths of the writes, so that a write answers 405 with
 * `Allow: GET, HEAD`, and a GET answers 404.
 */
export async function readOnlyRoutes(app: FastifyInstance): Promise<void> {
  for (const path of PATHS) {
    app.get(path, { schema: { hide: true } }, async ({ url }) => {
      throw new RouteNotFound(url)
    })
  }
}
