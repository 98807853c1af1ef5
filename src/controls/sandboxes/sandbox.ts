import { runToEnd } from '@materials-mock/work'
import type { LoadedFixtures } from '../../store/loaded-fixtures.js'
import { Store } from '../../store/store.js'
import { Events } from '../events/events.js'
import type { Versions } from '../events/events.js'
import { Faults } from '../faults/fault-rules.js'
import { FootprintCollector } from '../footprint/footprint.js'
import { Journal } from '../journal/journal.js'
import type { JournalLimits } from '../journal/journal.js'

/** What a request reads and changes: items, accounts, sessions, files, faults and the journal. */
export class Sandbox {
  /** Undefined for the main sandbox. */
  readonly name: string | undefined
  /** The path before `/api` and `/__admin`: `/sandboxes/ann`, or empty if it has no name. */
  readonly path: string
  readonly store: Store
  readonly faults: Faults
  readonly journal: Journal
  readonly footprint = new FootprintCollector()
  readonly events: Events
  readonly #fixtures: LoadedFixtures
  readonly #endListeners = new Set<() => void>()

  /** @param listTemplates default: any path */
  constructor(
    fixtures: LoadedFixtures,
    limits: JournalLimits,
    listTemplates?: (store: Store) => readonly string[],
    name?: string,
  ) {
    this.name = name
    this.path = name === undefined ? '' : `/sandboxes/${name}`
    this.#fixtures = fixtures
    this.store = new Store(fixtures)
    this.faults = new Faults(listTemplates && (() => listTemplates(this.store)))
    this.events = new Events(() => this.#readVersions())
    this.journal = new Journal(limits, this.store, this.events)
  }

  /** Restores the items as loaded and the clock, ends all sessions, and clears the faults, the journal and the footprint. */
  reset(): void {
    this.store.reset()
    this.faults.clear()
    this.journal.clear()
    this.footprint.clear()
    this.events.send('reset')
  }

  #readVersions(): Versions {
    const { clock, collections, jobClock, snapshots } = this.store
    // Jobs change with time, but only when they are read. An error is thrown again for the next request.
    jobClock.advance()?.catch(() => undefined)
    return {
      faults: this.faults.version,
      clock: clock.version,
      snapshots: snapshots.version,
      items: new Map([...collections].map(([name, { version }]) => [name, version])),
    }
  }

  /** Returns a store that has what this one has now, for writes that are not kept. */
  copyStore(): Store {
    const copy = new Store(this.#fixtures, this.store.clock)
    runToEnd(copy.restoreInSlices(this.store.save()))
    return copy
  }

  /** Calls back when the sandbox has ended, until the returned function is called. */
  onEnd(listener: () => void): () => void {
    this.#endListeners.add(listener)
    return () => void this.#endListeners.delete(listener)
  }

  /** Tells all listeners that the sandbox has ended. Nothing keeps it in memory after that. */
  end(): void {
    this.store.endWork()
    this.faults.clear() // whose timers would
    this.store.files.end()
    for (const listener of this.#endListeners) listener()
  }
}
