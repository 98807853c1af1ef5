import type { FastifyInstance } from 'fastify'

import { SnapshotParameters } from '../../schemas/snapshot.js'

/** Lists, takes, restores and removes named snapshots of items and sessions. */
export async function snapshotRoutes(app: FastifyInstance): Promise<void> {
  const schema = { params: SnapshotParameters }

  app.get('/', async ({ sandbox }) => sandbox.store.snapshots.list())

  app.put<{ Params: SnapshotParameters }>('/:name', { schema }, async ({ params, sandbox }) =>
    sandbox.store.snapshots.take(params.name),
  )

  app.post<{ Params: SnapshotParameters }>(
    '/:name/restore',
    { schema },
    async ({ params, sandbox }, reply) =>
      reply.runWork(sandbox.store.snapshots.restoreInSlices(params.name)),
  )

  app.delete<{ Params: SnapshotParameters }>('/:name', { schema }, async ({ params, sandbox }) => {
    sandbox.store.snapshots.remove(params.name)
    return {}
  })
}
