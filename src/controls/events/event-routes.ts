import type { ServerResponse } from 'node:http'

import type { FastifyInstance } from 'fastify'

import { Text } from '@materials-mock/json'
import { BoundExceeded } from '../../errors.js'
import { operation } from '../control.js'
import { formatEvent } from './events.js'
import type { Events } from './events.js'

/** The content type of an event stream (WHATWG HTML, section 9.2, Server-sent events). */
const EVENT_STREAM_TYPE = 'text/event-stream'

const MAX_STREAMS = 100

const TOO_MANY = `there must be at most ${MAX_STREAMS} event streams; close some first`

const EventText = Text('event: start')

const EVENTS = operation('events', 'Follow the requests and the changes', EventText, {
  description:
    'An endless stream of server-sent events. A reader that is 1 MiB behind is disconnected.',
  errors: [new BoundExceeded(TOO_MANY)],
  content: { [EVENT_STREAM_TYPE]: { schema: EventText } },
})

/** `GET /events`, server-sent. A stream ends when the server closes or its sandbox ends. */
export async function eventRoute(app: FastifyInstance): Promise<void> {
  const streams = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end()
  })

  app.get('/events', { schema: EVENTS, config: { ignoresJobs: true } }, async (request, reply) => {
    if (request.method === 'HEAD') return reply.type(EVENT_STREAM_TYPE).send('')
    if (streams.size >= MAX_STREAMS) throw new BoundExceeded(TOO_MANY)
    const { events, journal } = request.sandbox
    const { raw } = reply.hijack()
    raw.writeHead(200, {
      ...(reply.getHeaders() as NodeJS.Dict<string>),
      'content-type': EVENT_STREAM_TYPE,
      'cache-control': 'no-store',
      connection: 'close', // so that a closed server need not wait for the connection to be idle
    })
    raw.write(formatEvent('start', { request: journal.newestId, server: events.server }))
    streamEvents(raw, events)
    const stopListening = request.sandbox.onEnd(() => raw.end())
    streams.add(raw)
    raw.once('close', () => {
      stopListening()
      streams.delete(raw)
    })
  })
}

/** A comment, which readers ignore. It shows that the connection is alive. */
const HEARTBEAT = ':\n\n'

const HEARTBEAT_MS = 15_000

/** The bytes that wait for a slow reader before its connection is cut. It can connect again. */
const MAX_WAITING_BYTES = 1024 * 1024

/** Sends the events of a server until the response ends, or until its reader is too slow. */
export function streamEvents(
  response: ServerResponse,
  events: Events,
  heartbeatMs = HEARTBEAT_MS,
): void {
  const stopFollowing = events.follow(write)
  const heartbeat = setInterval(() => write(HEARTBEAT), heartbeatMs).unref()
  response.once('close', stop)

  function write(text: string): void {
    if (response.writableEnded) return stop()
    response.write(text)
    if (response.writableLength <= MAX_WAITING_BYTES) return
    stop()
    response.destroy()
  }

  function stop(): void {
    stopFollowing()
    clearInterval(heartbeat)
  }
}
