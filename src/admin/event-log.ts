import { randomUUID } from 'node:crypto'

/** The kind of an event: a request arrived or ended, or something that the controls show changed. */
export type EventName =
  'request' | 'response' | 'requests' | 'faults' | 'clock' | 'snapshots' | 'items' | 'reset'

/** An event of a server. */
export interface LoggedEvent {
  /** Larger than the ids of all earlier events, also of earlier servers. */
  readonly id: number
  readonly name: EventName
  /** The number of the request in the journal, for `request` and `response`. */
  readonly request?: number
  /** The names of the changed resources, for `items`. */
  readonly resources?: readonly string[]
}

/** The events after a given event. */
export interface EventsAfter {
  readonly events: readonly LoggedEvent[]
  /** The number of events in between that the log no longer has; null if it is unknown. */
  readonly missed: number | null
}

/**
 * The last events of one server. Any number of readers follow the log, each from its own position, so a
 * slow reader needs no memory. Nothing is logged before the first reader follows.
 */
export class EventLog {
  /**
   * A random id that distinguishes this log from the logs of other servers, such as the server before a
   * restart.
   */
  readonly id = randomUUID()
  readonly #capacity: number
  /** A ring buffer: the event with an id is at the id modulo the capacity. */
  #events: LoggedEvent[] = []
  readonly #firstId = Date.now() * 1000
  #lastId = this.#firstId
  #isLogging = false
  readonly #listeners = new Set<() => void>()

  /** @param capacity the largest number of events */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The id of the newest event, or a number before the first one. */
  get lastId(): number {
    return this.#lastId
  }

  /** Whether anybody follows the log. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  /** Logs an event, which replaces the oldest event if the log is full. */
  append(name: EventName, details: Omit<LoggedEvent, 'id' | 'name'> = {}): void {
    if (!this.#isLogging) return
    this.#lastId += 1
    this.#events[this.#lastId % this.#capacity] = { id: this.#lastId, name, ...details }
    for (const listener of this.#listeners) listener()
  }

  /** Calls back after each event, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#isLogging = true
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Returns the first events after the one with an id. For an id of another log, it returns no events:
   * the reader can't know what it has missed, and continues from the newest event.
   */
  readAfter(id: number, limit: number): EventsAfter {
    if (id < this.#firstId || id > this.#lastId) return { events: [], missed: null }
    const oldest = Math.max(this.#firstId + 1, this.#lastId - this.#capacity + 1)
    const start = Math.max(id + 1, oldest)
    const end = Math.min(this.#lastId, start + limit - 1)
    const events: LoggedEvent[] = []
    for (let each = start; each <= end; each += 1)
      events.push(this.#events[each % this.#capacity] as LoggedEvent)
    return { events, missed: start - (id + 1) }
  }
}
