import { BoundExceeded, SnapshotNotFound } from '../errors.js'
import { defineOperation } from './control.js'

const NO_SNAPSHOT = new SnapshotNotFound('before-the-demo')

export const snapshotOperations = [
  defineOperation('POST /reset', 'reset', 'Restore the state right after the start', {
    description:
      'Restores the items and the clock, ends all sessions, removes all faults, and clears the journal and the footprint. Snapshots stay.',
    replacesState: true,
    run: ({ sandbox }) => sandbox.reset(),
  }),
  defineOperation('GET /snapshots', 'snapshots-list', 'List the snapshots', {
    description: 'Lists the snapshots by name, with the numbers of their items.',
    run: ({ sandbox }) => sandbox.store.snapshots.list(),
  }),
  defineOperation('PUT /snapshots/:name', 'snapshots-take', 'Take a snapshot', {
    description:
      'Saves all items and sessions. The snapshot replaces a snapshot with the same name.',
    errors: [new BoundExceeded('there must be at most 200 snapshots; remove some first')],
    run: ({ sandbox, params }) => sandbox.store.snapshots.take(params.name),
  }),
  defineOperation('POST /snapshots/:name/restore', 'snapshots-restore', 'Restore a snapshot', {
    description:
      'The items and sessions of the snapshot replace the current ones. The snapshot stays.',
    errors: [NO_SNAPSHOT],
    isAtomic: true,
    replacesState: true,
    work: ({ sandbox, params }) => sandbox.store.snapshots.restoreInSlices(params.name),
  }),
  defineOperation('DELETE /snapshots/:name', 'snapshots-remove', 'Remove a snapshot', {
    description: 'The items stay as they are.',
    errors: [NO_SNAPSHOT],
    run: ({ sandbox, params }) => sandbox.store.snapshots.remove(params.name),
  }),
]
