import type { Store } from '../store/store.js'
import { EventLog } from './event-log.js'
import { Events } from './events/events.js'
import { Faults } from './faults/fault-rules.js'
import { FootprintCollector } from './footprint/footprint.js'
import { Journal } from './journal/journal.js'

/** The number of events of a request, and the number of logged events that are not about requests. */
const EVENTS_OF_REQUEST = 2
const OTHER_EVENTS = 1000

/** The parts that only a mock has: the faults, the journal and the footprint of one server, and its reset. */
export class Controls {
  readonly faults: Faults
  readonly journal: Journal
  readonly footprint = new FootprintCollector()
  readonly events: Events
  readonly #store: Store
  #resetCount = 0

  /**
   * @param journalSize the number of requests that the journal records; 0 turns it off
   * @param templates the paths of the routes that faults may be for (default: any path)
   */
  constructor(store: Store, journalSize: number, templates?: ReadonlySet<string>) {
    this.#store = store
    this.faults = new Faults(templates)
    const log = new EventLog(EVENTS_OF_REQUEST * journalSize + OTHER_EVENTS)
    this.journal = new Journal(journalSize, store, log)
    this.events = new Events(log, this.journal, store, this.faults)
  }

  /** The number of resets since the start. */
  get resetCount(): number {
    return this.#resetCount
  }

  /** Restores the items as loaded and the clock, ends all sessions, and clears the faults, the journal and the footprint. */
  reset(): void {
    this.#resetCount += 1
    this.#store.reset()
    this.faults.clear()
    this.journal.clear()
    this.footprint.clear()
    this.events.log.append('reset')
  }
}
