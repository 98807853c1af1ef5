import { randomUUID } from 'node:crypto'

import type { JsonObject } from '@materials-mock/json'

/** The kind of an event: a request arrived or ended, or something that the controls show changed. */
export type EventName =
  | 'start'
  | 'request'
  | 'response'
  | 'requests'
  | 'faults'
  | 'clock'
  | 'snapshots'
  | 'items'
  | 'reset'

export interface Versions {
  readonly faults: number
  readonly clock: number
  readonly snapshots: number
  readonly items: ReadonlyMap<string, number>
}

/** The time between two checks for changes, in ms. */
const INTERVAL = 100

/** While anybody follows, looks for changes every 100 ms, so that no write waits. */
export class Events {
  /** A random id, which differs from that of the server before a restart. */
  readonly server = randomUUID()
  readonly #readVersions: () => Versions
  readonly #listeners = new Set<(text: string) => void>()
  #versions: Versions | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(readVersions: () => Versions) {
    this.#readVersions = readVersions
  }

  /** @param describe returns the data of the event. Not called if nobody follows */
  send(name: EventName, describe: () => JsonObject = () => ({})): void {
    if (this.#listeners.size === 0) return
    const text = formatEvent(name, describe())
    for (const listener of this.#listeners) listener(text)
  }

  /** Calls back with the text of each event, until the returned function is called. */
  follow(listener: (text: string) => void): () => void {
    this.#sendChanges() // since the last follower
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => this.#sendChanges(), INTERVAL).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #sendChanges(): void {
    const former = this.#versions
    const current = this.#readVersions()
    this.#versions = current
    if (former === undefined) return
    for (const name of ['faults', 'clock', 'snapshots'] as const)
      if (former[name] !== current[name]) this.send(name)
    // Resources come and go.
    const resources = [...new Set([...former.items.keys(), ...current.items.keys()])].filter(
      (name) => former.items.get(name) !== current.items.get(name),
    )
    if (resources.length > 0) this.send('items', () => ({ resources }))
  }
}

/** Formats an event (WHATWG HTML, section 9.2, Server-sent events). JSON has no line breaks. */
export const formatEvent = (name: EventName, data: JsonObject): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
