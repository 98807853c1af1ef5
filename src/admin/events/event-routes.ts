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
  /** What ends each stream. */
  const streams = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of streams) end()
  })

  app.get('/events', { schema: EVENTS }, async (request, reply) => {
    if (request.method === 'HEAD') return reply.type(EVENT_STREAM_TYPE).send('')
    const position = parseLastEventId(request)
    if (streams.size >= MAX_STREAMS) throw new BoundExceeded(TOO_MANY)
    const { raw } = reply.hijack()
    const headers = reply.getHeaders() as NodeJS.Dict<string>
    const { sandbox } = request
    const end = streamEvents(raw, sandbox.events, { position, headers })
    const stopListening = sandbox.onEnd(end)
    streams.add(end)
    raw.once('close', () => {
      stopListening()
      streams.delete(end)
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
 * @returns a function that ends the response. If the reader is slow, it destroys its connection
 */
export function streamEvents(
  response: ServerResponse,
  events: Events,
  { position, headers, heartbeatMs = HEARTBEAT_MS }: EventStreamOptions,
): () => void {
  /** Whether the reader has not yet received everything that was written. */
  let isFull = false
  let timer: NodeJS.Timeout | undefined
  response.writeHead(200, {
    ...headers,
    'content-type': EVENT_STREAM_TYPE,
    'cache-control': 'no-store',
    connection: 'close', // so that a closed server need not wait for the connection to be idle
  })
  const stopFollowing = events.follow(() => schedule(COLLECT_MS))
  const reader = new EventReader(events, position)
  const heartbeat = setInterval(() => {
    if (!isFull) isFull = !response.write(HEARTBEAT)
  }, heartbeatMs).unref()
  response.on('drain', () => {
    isFull = false
    schedule(0)
  })
  response.once('close', stop)
  schedule(0)

  function schedule(ms: number): void {
    if (!isFull) timer ??= setTimeout(send, ms)
  }

  function send(): void {
    timer = undefined
    if (isFull || !reader.isBehind) return
    isFull = !response.write(reader.read())
    if (reader.isBehind) schedule(0)
  }

  function stop(): void {
    stopFollowing()
    clearInterval(heartbeat)
    clearTimeout(timer)
    isFull = true
  }

  return () => {
    const isSlow = isFull
    stop()
    if (isSlow) response.destroy()
    else response.end()
  }
}
