import type { Journal } from '../journal/journal.js'
import type { ChangeWatcher } from './change-watcher.js'
import type { EventLog } from '../event-log.js'
import { Follower } from './follower.js'

/** What happens at one server, for those that follow it. */
export class Events {
  readonly log: EventLog
  readonly journal: Journal
  readonly #watcher: ChangeWatcher

  constructor(log: EventLog, journal: Journal, watcher: ChangeWatcher) {
    this.log = log
    this.journal = journal
    this.#watcher = watcher
  }

  /**
   * Follows the events after one, or from now on, until `follower.close()`.
   * @param listener called after each event
   */
  follow(position: number | undefined, listener: () => void): Follower {
    const stopListening = this.log.listen(listener)
    this.#watcher.start()
    return new Follower(this, position, () => {
      stopListening()
      if (!this.log.hasListeners) this.#watcher.stop()
    })
  }
}
