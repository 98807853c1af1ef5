import type { Entry } from './entry.js'
import type { SavedSessions } from './sessions.js'

/** A saved state of a store, to be restored. */
export interface SavedState {
  /** When it was saved, in ms since the epoch. */
  readonly at: number
  readonly collections: ReadonlyMap<string, readonly Entry[]>
  readonly sessions: SavedSessions
}
