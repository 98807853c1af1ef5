import type { CollectionState } from './collection-state.js'
import type { SavedJobMaterials } from './jobs/job-materials.js'
import type { SavedSessions } from './sign-in/sessions.js'

/** A saved state of a store, to be restored. */
export interface SavedState {
  /** When it was saved, in ms since the epoch. */
  readonly at: number
  readonly collections: ReadonlyMap<string, CollectionState>
  /** Undefined for one that was read from a folder: tokens are not written to files. */
  readonly sessions: SavedSessions | undefined
  /** Undefined for one that was read from a folder. */
  readonly jobMaterials?: SavedJobMaterials
}

/** What outlives a restart of a server. */
export interface PersistentState {
  /** The state of each collection. */
  readonly current: ReadonlyMap<string, CollectionState>
  /** The state of each collection that a reset restores. */
  readonly initial: ReadonlyMap<string, CollectionState>
  readonly snapshots: ReadonlyMap<string, SavedState>
}
