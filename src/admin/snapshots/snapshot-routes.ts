import type { FastifyInstance } from 'fastify'

import type { SnapshotParameters } from './snapshot.js'
import { OPERATIONS } from '../operations.js'

/** Lists, takes, restores and removes named snapshots of items and sessions. */
export async function snapshotRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', { schema: OPERATIONS.snapshots }, async ({ sandbox }, reply) =>
    reply.runStep(() => sandbox.store.snapshots.list()),
  )

  app.put<{ Params: SnapshotParameters }>(
    '/:name',
    { schema: OPERATIONS.takeSnapshot },
    async ({ params, sandbox }) => sandbox.store.snapshots.take(params.name),
  )

  app.post<{ Params: SnapshotParameters }>(
    '/:name/restore',
    { schema: OPERATIONS.restoreSnapshot },
    async ({ params, sandbox }, reply) =>
      reply.runWork(sandbox.store.snapshots.restoreInSlices(params.name)),
  )

  app.delete<{ Params: SnapshotParameters }>(
    '/:name',
    { schema: OPERATIONS.removeSnapshot },
    async ({ params, sandbox }) => {
      sandbox.store.snapshots.remove(params.name)
      return {}
    },
  )
}
