import type { FastifyInstance } from 'fastify'

import { RouteNotFound } from '../errors.js'
import type { ReadOptions } from './read-routes.js'

/** The paths below an item that only writes have. */
const WRITE_PATHS = ['/:id/copy', '/:id/set-default', '/:id/move-to-set', '/:id/update-set']

/** The same of the writes that only one resource has, by the resource. */
const SPECIAL_WRITE_PATHS: Readonly<Record<string, readonly string[]>> = {
  jobs: ['/:id/submit', '/:id/presigned-urls', '/:id/output-files'],
}

/**
 * In read-only mode, registers the paths of the writes, so that the response to a write is 405 with
 * `Allow: GET, HEAD`, and that to a GET is 404.
 */
export async function readOnlyRoutes(
  app: FastifyInstance,
  { resource }: Pick<ReadOptions, 'resource'>,
): Promise<void> {
  registerWritePaths(app, [...WRITE_PATHS, ...(SPECIAL_WRITE_PATHS[resource] ?? [])])
}

/** Registers paths that have no method here, so that the response to a write is 405. */
export function registerWritePaths(app: FastifyInstance, paths: readonly string[]): void {
  for (const path of paths) {
    app.get(path, { schema: { hide: true } }, async ({ url }) => {
      throw new RouteNotFound(url)
    })
  }
}
