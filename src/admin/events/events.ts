import type { JsonObject } from '../../json/json.js'
import type { Store } from '../../store/store.js'
import type { EventLog, LoggedEvent } from '../event-log.js'
import type { Faults } from '../faults/fault-rules.js'
import { formatId, toArrival, toOutcome } from '../journal/journal-record.js'
import type { Journal } from '../journal/journal.js'

/** The time between two checks for changes, in ms. */
const INTERVAL = 100

/**
 * The events of one server. While anybody follows them, it logs changes of items, snapshots, fault rules
 * and the clock: at most one event of each kind in 100 ms, however many writes there are. Writes do not
 * wait for it.
 */
export class Events {
  readonly log: EventLog
  readonly journal: Journal
  readonly #store: Store
  readonly #faults: Faults
  /** The versions of all parts at the last check. A part that changes gets another version. */
  #versions: ReturnType<typeof readVersions> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(log: EventLog, journal: Journal, store: Store, faults: Faults) {
    this.log = log
    this.journal = journal
    this.#store = store
    this.#faults = faults
  }

  /** Calls back after each event, until the returned function is called. */
  follow(listener: () => void): () => void {
    const stopListening = this.log.listen(listener)
    this.#logChanges()
    this.#timer ??= setInterval(() => this.#logChanges(), INTERVAL).unref()
    return () => {
      stopListening()
      if (this.log.hasListeners) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #logChanges(): void {
    // Jobs change with time, but only when they are read. An error is thrown again for the next
    // request.
    this.#store.jobClock.advance()?.catch(() => undefined)
    const former = this.#versions
    const current = readVersions(this.#store, this.#faults)
    this.#versions = current
    if (former === undefined) return
    for (const name of ['faults', 'clock', 'snapshots'] as const)
      if (former[name] !== current[name]) this.log.append(name)
    // Resources come and go.
    const resources = [...new Set([...former.items.keys(), ...current.items.keys()])].filter(
      (name) => former.items.get(name) !== current.items.get(name),
    )
    if (resources.length > 0) this.log.append('items', { resources })
  }
}

const readVersions = (store: Store, faults: Faults) => ({
  faults: faults.version,
  clock: store.clock.version,
  snapshots: store.snapshots.version,
  items: new Map([...store.collections].map(([name, { version }]) => [name, version])),
})

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
