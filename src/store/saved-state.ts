import type { CollectionState } from './collection-state.js'
import type { SavedSessions } from './sessions.js'

/** A saved state of a store, to be restored. */
export interface SavedState {
  /** When it was saved, in ms since the epoch. */
  readonly at: number
  readonly collections: ReadonlyMap<string, CollectionState>
  readonly sessions: SavedSessions
}
