import type { JsonObject } from '../../json/json.js'
import type { EventLog, LoggedEvent } from '../event-log.js'
import { formatId, toArrival, toOutcome } from '../journal/journal-record.js'
import type { Journal } from '../journal/journal.js'
import type { ChangeWatcher } from './change-watcher.js'

/** The events of one server, and what logs them while anybody follows. */
export class Events {
  readonly log: EventLog
  readonly journal: Journal
  readonly #watcher: ChangeWatcher

  constructor(log: EventLog, journal: Journal, watcher: ChangeWatcher) {
    this.log = log
    this.journal = journal
    this.#watcher = watcher
  }

  /** Calls back after each event, until the returned function is called. */
  follow(listener: () => void): () => void {
    const stopListening = this.log.listen(listener)
    this.#watcher.start()
    return () => {
      stopListening()
      if (!this.log.hasListeners) this.#watcher.stop()
    }
  }
}

/** The largest number of events that are read at once, and the length of text after which no more are read. */
const MAX_EVENTS = 100
const MAX_TEXT_LENGTH = 64 * 1024

/** Reads the events of a server one after the other, as the text of an event stream. */
export class EventReader {
  readonly #source: Events
  /** The id of the last event that was read. */
  #position: number
  #isStarted: boolean
  /** The number of missed events that no `gap` has reported yet. */
  #missed = 0

  /** @param position the id of the last event that the reader has; undefined to start now */
  constructor(source: Events, position: number | undefined) {
    this.#source = source
    this.#position = position ?? source.log.lastId
    this.#isStarted = position !== undefined
  }

  /** Whether there are unread events. */
  get isBehind(): boolean {
    return !this.#isStarted || this.#position !== this.#source.log.lastId
  }

  /**
   * Returns the next events as text. A reader that starts now gets the event `start` first. `gap`
   * replaces events that the log no longer has.
   */
  read(): string {
    const { log, journal } = this.#source
    if (!this.#isStarted) {
      this.#isStarted = true
      return formatEvent('start', this.#position, {
        request: formatId(journal.count),
        server: log.id,
      })
    }
    const { events, missed } = log.readAfter(this.#position, MAX_EVENTS)
    if (missed === null) {
      this.#position = log.lastId
      return formatEvent('gap', this.#position, { missed })
    }
    this.#position += missed
    this.#missed += missed
    return this.#format(events)
  }

  #format(events: readonly LoggedEvent[]): string {
    let text = ''
    for (const event of events) {
      const data = describe(event, this.#source.journal)
      if (data === undefined) {
        this.#missed += 1
      } else {
        text += this.#closeGap()
        if (data !== null) text += formatEvent(event.name, event.id, data)
      }
      this.#position = event.id
      if (text.length > MAX_TEXT_LENGTH) break
    }
    return this.isBehind ? text : text + this.#closeGap()
  }

  #closeGap(): string {
    const missed = this.#missed
    this.#missed = 0
    return missed === 0 ? '' : formatEvent('gap', this.#position, { missed })
  }
}

/**
 * Returns the data of an event. The data is undefined if the journal no longer has the event's request,
 * and null if the journal was cleared since, which is an event itself.
 */
function describe(
  { name, request, resources }: LoggedEvent,
  journal: Journal,
): JsonObject | null | undefined {
  if (request === undefined) return resources === undefined ? {} : { resources: [...resources] }
  if (journal.isCleared(request)) return null
  const record = journal.findRecord(request)
  if (record === undefined) return undefined
  return name === 'request'
    ? toArrival(record, journal.resources)
    : { _id: formatId(request), ...toOutcome(record) }
}

/** Formats an event (WHATWG HTML, section 9.2, Server-sent events). JSON has no line breaks. */
const formatEvent = (name: string, id: number, data: JsonObject): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
