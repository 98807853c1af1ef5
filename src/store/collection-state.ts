import type { Entry } from './entry.js'
import type { Indexes } from './index/indexes.js'

/**
 * The entries of a collection at one time, and what is derived from them. A saved state is shared
 * with the collection until the next write, which copies it: saving and restoring takes no time.
 */
export interface CollectionState {
  /** In natural order. */
  readonly entries: readonly Entry[]
  readonly byId: ReadonlyMap<string, Entry>
  readonly indexes: Indexes
  /** The owners of all items that are or were in the collection. */
  readonly ownerIds: ReadonlyMap<string, string>
}
