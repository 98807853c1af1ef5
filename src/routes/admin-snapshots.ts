import type { FastifyInstance } from 'fastify'

import { SnapshotParameters } from '../schemas/snapshot.js'
import type { AdminOptions } from './admin.js'

/** Named snapshots of items and sessions: to list, take, go back to, and forget. */
export async function snapshotRoutes(
  app: FastifyInstance,
  { store: { snapshots } }: Pick<AdminOptions, 'store'>,
): Promise<void> {
  const schema = { params: SnapshotParameters }

  app.get('/', async () => snapshots.list())

  app.put<{ Params: SnapshotParameters }>('/:name', { schema }, async ({ params }) =>
    snapshots.take(params.name),
  )

  app.post<{ Params: SnapshotParameters }>('/:name/restore', { schema }, async ({ params }) =>
    snapshots.restore(params.name),
  )

  app.delete<{ Params: SnapshotParameters }>('/:name', { schema }, async ({ params }) => {
    snapshots.remove(params.name)
    return {}
  })
}
