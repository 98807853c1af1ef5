import type { JsonObject } from '../../json/json.js'
import type { Journal } from '../journal/journal.js'
import { formatId, toArrival, toOutcome } from '../journal/journal-record.js'
import type { EventLog, LoggedEvent } from '../event-log.js'
import { formatEvent } from './format-event.js'

/** The number of events that are read at once, and the length of their text from which on no more are. */
const MAX_EVENTS = 100
const MAX_TEXT_LENGTH = 64 * 1024

/** The parts of a server that a follower reads. */
export interface EventSource {
  readonly log: EventLog
  readonly journal: Journal
}

/** Reads the events of a server one after the other, as the text of an event stream. */
export class Follower {
  readonly #source: EventSource
  /** The id of the last event that was read. */
  #position: number
  #isStarted: boolean
  /** The number of missed events that no `gap` has told yet. */
  #missed = 0

  /** Stops following. */
  readonly close: () => void

  /** @param position the id of the last event that the reader has; undefined to start now */
  constructor(source: EventSource, position: number | undefined, close: () => void) {
    this.close = close
    this.#source = source
    this.#position = position ?? source.log.lastId
    this.#isStarted = position !== undefined
  }

  /** Whether there are events that it has not read. */
  get isBehind(): boolean {
    return !this.#isStarted || this.#position !== this.#source.log.lastId
  }

  /**
   * Returns the next events as text. A follower that starts now gets the event `start` first. `gap`
   * stands for events that are no longer there.
   */
  read(): string {
    const { log, journal } = this.#source
    if (!this.#isStarted) {
      this.#isStarted = true
      return formatEvent('start', this.#position, { request: formatId(journal.count) })
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
 * Returns the data of an event: undefined if newer requests have replaced the one that it is about,
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
