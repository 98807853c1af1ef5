import type { LoadedFixtures } from '../../store/loaded-fixtures.js'
import { Store } from '../../store/store.js'
import { Controls } from '../controls.js'

/** What a request reads and changes: items, accounts and sessions, files, faults and the journal. */
export class Sandbox {
  /** Undefined for the one of all requests that name none. */
  readonly name: string | undefined
  /** The path before `/api` and `/__admin`: `/sandboxes/ann`, or nothing if it has no name. */
  readonly path: string
  readonly store: Store
  readonly controls: Controls
  readonly #endListeners = new Set<() => void>()

  /**
   * Creates a sandbox, which has the fixtures as loaded.
   * @param journalSize the number of requests that its journal records; 0 turns it off
   */
  constructor(fixtures: LoadedFixtures, journalSize: number, name?: string) {
    this.name = name
    this.path = name === undefined ? '' : `/sandboxes/${name}`
    this.store = new Store(fixtures)
    this.controls = new Controls(this.store, journalSize)
  }

  /** Calls back when the sandbox has ended, until the returned function is called. */
  onEnd(listener: () => void): () => void {
    this.#endListeners.add(listener)
    return () => void this.#endListeners.delete(listener)
  }

  /** Tells all who follow the sandbox that it has ended. Nothing keeps it in memory any longer. */
  end(): void {
    this.controls.faults.clear() // whose timers would
    this.store.files.end()
    for (const listener of this.#endListeners) listener()
  }
}
