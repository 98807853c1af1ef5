import type { Store } from '../../store/store.js'
import type { Faults } from '../faults/fault-rules.js'
import type { EventLog } from '../event-log.js'

/** The time between two checks for changes, in ms. */
const INTERVAL = 100

/** The parts that a change watcher checks. */
export interface WatchedParts {
  readonly store: Store
  readonly faults: Faults
}

/** The versions of all parts. A part that changes gets another version. */
interface Versions {
  readonly faults: number
  readonly clock: number
  readonly snapshots: number
  readonly items: ReadonlyMap<string, number>
}

/**
 * Logs changes of items, snapshots, fault rules and the clock while there are followers: at most one event of each
 * kind in 100 ms, however many writes there are. Writes do not wait for it.
 */
export class ChangeWatcher {
  readonly #parts: WatchedParts
  readonly #log: EventLog
  /** The versions at the last check. */
  #versions: Versions | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(parts: WatchedParts, log: EventLog) {
    this.#parts = parts
    this.#log = log
  }

  /** Starts to watch. Changes since the last check are logged at once. */
  start(): void {
    this.#look()
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    // Jobs change with time, but only when they are read. An error is thrown again for the next
    // request.
    this.#parts.store.jobClock.advance()?.catch(() => undefined)
    const former = this.#versions
    const current = readVersions(this.#parts)
    this.#versions = current
    if (former === undefined) return
    if (former.faults !== current.faults) this.#log.append('faults')
    if (former.clock !== current.clock) this.#log.append('clock')
    if (former.snapshots !== current.snapshots) this.#log.append('snapshots')
    const resources = [...current.items]
      .filter(([name, version]) => former.items.get(name) !== version)
      .map(([name]) => name)
    if (resources.length > 0) this.#log.append('items', { resources })
  }
}

const readVersions = ({ store, faults }: WatchedParts): Versions => ({
  faults: faults.version,
  clock: store.clock.version,
  snapshots: store.snapshots.version,
  items: new Map([...store.collections].map(([name, { version }]) => [name, version])),
})
