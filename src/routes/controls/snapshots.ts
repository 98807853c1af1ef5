import type { FastifyInstance } from 'fastify'

import { SnapshotParameters } from '../../schemas/snapshot.js'
import type { ControlOptions } from './control-options.js'

/** Lists, takes, restores and removes named snapshots of items and sessions. */
export async function snapshotRoutes(
  app: FastifyInstance,
  { store: { snapshots } }: Pick<ControlOptions, 'store'>,
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
