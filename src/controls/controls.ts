import type { Store } from '../store/store.js'
import { Faults } from './faults.js'
import { Journal } from './journal.js'

/** The parts that only a mock has: the fault rules and the journal of one server, and its reset. */
export class Controls {
  readonly faults = new Faults()
  readonly journal: Journal
  readonly #store: Store

  /** @param journalSize the number of requests that the journal records; 0 turns it off */
  constructor(store: Store, journalSize: number) {
    this.#store = store
    this.journal = new Journal(journalSize, store.collections)
  }

  /** Restores the items as loaded, ends all sessions, and clears the faults and the journal. */
  reset(): void {
    this.#store.reset()
    this.faults.clear()
    this.journal.clear()
  }
}
