import type { LoadedFixtures } from '../store/loaded-fixtures.js'
import { Store } from '../store/store.js'
import { Controls } from './controls.js'

/** What a request reads and changes: items, accounts and sessions, files, faults and the journal. */
export interface Sandbox {
  /** Undefined for the one of all requests that name none. */
  readonly name: string | undefined
  /** The path before `/api` and `/__admin`: `/sandboxes/ann`, or nothing if it has no name. */
  readonly path: string
  readonly store: Store
  readonly controls: Controls
}

/**
 * Creates a sandbox, which has the fixtures as loaded.
 * @param journalSize the number of requests that its journal records; 0 turns it off
 */
export function createSandbox(
  fixtures: LoadedFixtures,
  journalSize: number,
  name?: string,
): Sandbox {
  const store = new Store(fixtures)
  const path = name === undefined ? '' : `/sandboxes/${name}`
  return { name, path, store, controls: new Controls(store, journalSize) }
}
