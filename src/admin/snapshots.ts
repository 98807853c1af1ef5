import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { BoundExceeded, SnapshotNotFound } from '../errors.js'
import { NameParameters, Nothing, Sizes, operation } from './control.js'

/** A snapshot, without its items. */
const Snapshot = Type.Object(
  {
    name: Type.String({ examples: ['before-the-demo'] }),
    takenAt: Type.String({ examples: ['2026-11-21T08:59:47.811Z'] }),
    resources: Sizes,
  },
  { $id: 'Snapshot' },
)

const RESET = operation('reset', 'Restore the state right after the start', Nothing, {
  description:
    'Restores the items and the clock, ends all sessions, removes all faults, and clears the journal and the footprint. Snapshots stay.',
})

const NO_SNAPSHOT = new SnapshotNotFound('before-the-demo')
const params = NameParameters

const LIST = operation('snapshots-list', 'List the snapshots', Type.Array(Snapshot), {
  description: 'Lists the snapshots by name, with the numbers of their items.',
})

const TAKE = operation('snapshots-take', 'Take a snapshot', Snapshot, {
  description: 'Saves all items and sessions. The snapshot replaces a snapshot with the same name.',
  params,
  errors: [new BoundExceeded('there must be at most 200 snapshots; remove some first')],
})

const RESTORE = operation('snapshots-restore', 'Restore a snapshot', Snapshot, {
  description:
    'The items and sessions of the snapshot replace the current ones. The snapshot stays.',
  params,
  errors: [NO_SNAPSHOT],
})

const REMOVE = operation('snapshots-remove', 'Remove a snapshot', Nothing, {
  description: 'The items stay as they are.',
  params,
  errors: [NO_SNAPSHOT],
})

/** `POST /reset` */
export async function resetRoute(app: FastifyInstance): Promise<void> {
  app.post('/reset', { schema: RESET }, async ({ sandbox }) => {
    sandbox.reset()
    return {}
  })
}

/** Lists, takes, restores and removes named snapshots of items and sessions. */
export async function snapshotRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', { schema: LIST }, async ({ sandbox }, reply) =>
    reply.runStep(() => sandbox.store.snapshots.list()),
  )

  app.put<{ Params: NameParameters }>('/:name', { schema: TAKE }, async (request) =>
    request.sandbox.store.snapshots.take(request.params.name),
  )

  app.post<{ Params: NameParameters }>(
    '/:name/restore',
    { schema: RESTORE },
    async ({ params: { name }, sandbox }, reply) =>
      reply.runWork(sandbox.store.snapshots.restoreInSlices(name)),
  )

  app.delete<{ Params: NameParameters }>('/:name', { schema: REMOVE }, async (request) => {
    request.sandbox.store.snapshots.remove(request.params.name)
    return {}
  })
}
