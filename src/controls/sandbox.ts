import type { Store } from '../store/store.js'
import type { Controls } from './controls.js'

/** What a request reads and changes: the items, accounts and sessions, the faults and the journal. */
export interface Sandbox {
  readonly store: Store
  readonly controls: Controls
}
