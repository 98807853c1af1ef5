import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { BoundExceeded, ParameterInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { operation, withSuccess } from '../control.js'
import { EventReader } from './events.js'
import type { Events } from './events.js'

/** The content type of an event stream (WHATWG HTML, section 9.2, Server-sent events). */
const EVENT_STREAM_TYPE = 'text/event-stream'

/** The largest number of open event streams. */
const MAX_STREAMS = 100

const TOO_MANY = `there must be at most ${MAX_STREAMS} event streams; close some first`

const EVENTS = withSuccess(
  operation('events', 'Follow the requests and the changes', Type.String(), {
    description:
      'An endless stream of server-sent events. `Last-Event-ID` continues after an event.',
    errors: [new BoundExceeded(TOO_MANY)],
  }),
  () => ({
    description: 'Events, until the reader or the server closes',
    content: { [EVENT_STREAM_TYPE]: { schema: Type.String({ examples: ['event: start'] }) } },
  }),
)

/**
 * `GET /events`: sends the requests and the changes of this server as server-sent events. A stream ends
 * when the server closes or its sandbox ends.
 */
export async function eventRoute(app: FastifyInstance): Promise<void> {
  const streams = new Set<EventStream>()
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end()
  })

  app.get('/events', { schema: EVENTS }, async (request, reply) => {
    if (request.method === 'HEAD') return reply.type(EVENT_STREAM_TYPE).send('')
    const position = parseLastEventId(request)
    if (streams.size >= MAX_STREAMS) throw new BoundExceeded(TOO_MANY)
    const { raw } = reply.hijack()
    const headers = reply.getHeaders() as NodeJS.Dict<string>
    const { sandbox } = request
    const stream = new EventStream(raw, sandbox.controls.events, { position, headers })
    const stopListening = sandbox.onEnd(() => stream.end())
    streams.add(stream)
    raw.once('close', () => {
      stopListening()
      streams.delete(stream)
    })
  })
}

/**
 * Returns the id of the last event that a reader has. A browser sends it when it reconnects.
 * @throws ParameterInvalid for a text that is not an id
 */
function parseLastEventId({ headers }: FastifyRequest): number | undefined {
  const { 'last-event-id': id } = headers
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && /^\d{1,16}$/.test(id)) return Number(id)
  throw new ParameterInvalid(`Last-Event-ID must be the id of an event, not ${quote(String(id))}`)
}

/** A comment, which readers ignore. It shows that the connection is alive. */
const HEARTBEAT = ':\n\n'

/** The time in which events are collected before they are sent together, in ms. */
const COLLECT_MS = 20

/** The time between two comments that show that the connection is alive, in ms. */
const HEARTBEAT_MS = 15_000

/** The options of an event stream. */
export interface EventStreamOptions {
  /** The id of the last event that the reader has; undefined to start now. */
  readonly position: number | undefined
  /** The headers of the response, in addition to the headers of every event stream. */
  readonly headers: OutgoingHttpHeaders
  readonly heartbeatMs?: number
}

/**
 * Sends the events of a server until the reader or the server closes. While the reader is slow, nothing
 * is written: the events wait in the log. If the log drops some of them, the reader gets the event
 * `gap`.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #reader: EventReader
  readonly #stopFollowing: () => void
  readonly #heartbeat: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  /** Whether the reader has not yet received everything that was written. */
  #isFull = false

  constructor(response: ServerResponse, events: Events, options: EventStreamOptions) {
    this.#response = response
    response.writeHead(200, {
      ...options.headers,
      'content-type': EVENT_STREAM_TYPE,
      'cache-control': 'no-store',
      connection: 'close', // so that a closed server need not wait for the connection to be idle
    })
    this.#stopFollowing = events.follow(() => this.#schedule(COLLECT_MS))
    this.#reader = new EventReader(events, options.position)
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS).unref()
    response.on('drain', () => {
      this.#isFull = false
      this.#schedule(0)
    })
    response.once('close', () => this.#stop())
    this.#schedule(0)
  }

  /** Ends the response. If the reader is slow, its connection is destroyed. */
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
    if (this.#isFull || !this.#reader.isBehind) return
    this.#isFull = !this.#response.write(this.#reader.read())
    if (this.#reader.isBehind) this.#schedule(0)
  }

  #beat(): void {
    if (!this.#isFull) this.#isFull = !this.#response.write(HEARTBEAT)
  }

  #stop(): void {
    this.#stopFollowing()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#timer)
    this.#isFull = true
  }
}
