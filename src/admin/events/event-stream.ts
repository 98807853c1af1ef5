import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

import type { Events } from './events.js'
import type { Follower } from './follower.js'
import { HEARTBEAT } from './format-event.js'

/** The content type of an event stream (WHATWG HTML, section 9.2, Server-sent events). */
export const EVENT_STREAM_TYPE = 'text/event-stream'

/** The time in which events are collected before they are sent together, in ms. */
const COLLECT_MS = 20

/** The time between two comments that show that the connection is alive, in ms. */
const HEARTBEAT_MS = 15_000

/** The options of an event stream. */
export interface EventStreamOptions {
  /** The id of the last event that the reader has; undefined to start now. */
  readonly position: number | undefined
  /** The headers of the response, beside those of every event stream. */
  readonly headers: OutgoingHttpHeaders
  readonly heartbeatMs?: number
}

/**
 * Sends the events of a server until the reader or the server closes. While a reader is slow, nothing
 * is written: the events wait in the log, and those that it drops are replaced by the event `gap`.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #follower: Follower
  readonly #heartbeat: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  /** Whether the reader has to take what is written first. */
  #isFull = false

  constructor(response: ServerResponse, events: Events, options: EventStreamOptions) {
    this.#response = response
    response.writeHead(200, {
      ...options.headers,
      'content-type': EVENT_STREAM_TYPE,
      'cache-control': 'no-store',
      connection: 'close', // so that a closed server need not wait for the connection to be idle
    })
    this.#follower = events.follow(options.position, () => this.#schedule(COLLECT_MS))
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS).unref()
    response.on('drain', () => {
      this.#isFull = false
      this.#schedule(0)
    })
    response.once('close', () => this.#stop())
    this.#schedule(0)
  }

  /** Ends the response. One whose reader is slow is cut off. */
  end(): void {
    const isSlow = this.#isFull
    this.#stop()
    if (isSlow) this.#response.destroy()
    else this.#response.end()
  }

  #schedule(ms: number): void {
    if (!this.#isFull) this.#timer ??= setTimeout(() => this.#send(), ms)
  }

  #send(): void {
    this.#timer = undefined
    if (this.#isFull || !this.#follower.isBehind) return
    this.#isFull = !this.#response.write(this.#follower.read())
    if (this.#follower.isBehind) this.#schedule(0)
  }

  #beat(): void {
    if (!this.#isFull) this.#isFull = !this.#response.write(HEARTBEAT)
  }

  #stop(): void {
    this.#follower.close()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#timer)
    this.#isFull = true
  }
}
