import type { Scheduler } from '../work/scheduler.js'
import { EntryMap } from './entry-map.js'
import type { Entry } from './entry.js'
import { Views } from './index/views.js'

/**
 * The entries of a collection at one time, and what is derived from them. A saved state is shared
 * with the collection until the next write, which copies it: saving and restoring takes no time.
 */
export interface CollectionState {
  /** In natural order. */
  readonly entries: readonly Entry[]
  /** No write changes it. */
  readonly byId: EntryMap
  /** What accounts see of the entries. */
  readonly views: Views
  /** The owners of all items that are or were in the collection. */
  readonly ownerIds: ReadonlyMap<string, string>
  /** The time of the next transition of each item that has one, by its `_id`, if items have any. */
  readonly pending?: ReadonlyMap<string, number>
}

/** Creates the state of a collection that has these entries, in natural order. */
export function createCollectionState(
  entries: readonly Entry[],
  scheduler: Scheduler,
): CollectionState {
  const byId = new EntryMap(new Map(entries.map((entry) => [entry.item._id as string, entry])))
  const owners = entries.flatMap(({ ownerId }) => (ownerId === undefined ? [] : [ownerId]))
  const ownerIds = new Map([...new Set(owners)].map((id) => [id, id]))
  return { entries, byId, views: new Views(entries as Entry[], scheduler), ownerIds }
}
