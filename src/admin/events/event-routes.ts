import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { BoundExceeded, ParameterInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { EVENT_STREAM_TYPE, EventStream } from './event-stream.js'
import { operation, withSuccess } from '../control.js'

/** The number of open event streams at most. */
const MAX_STREAMS = 100

const TOO_MANY = `there must be at most ${MAX_STREAMS} event streams; close some first`

const EVENTS = withSuccess(
  operation('events', 'Follow the requests and the changes', Type.String(), {
    description: 'Server-sent events, without an end. `Last-Event-ID` goes on after an event.',
    errors: [new BoundExceeded(TOO_MANY)],
  }),
  () => ({
    description: 'Events, until the reader or the server closes',
    content: { [EVENT_STREAM_TYPE]: { schema: Type.String({ examples: ['event: start'] }) } },
  }),
)

/**
 * `GET /events`: the requests and the changes of this server as they happen, as server-sent events.
 * The streams end when the server closes, or their sandbox ends.
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
 * Returns the id of the last event that a reader has, which a browser sends when it connects again.
 * @throws ParameterInvalid for a text that is no id
 */
function parseLastEventId({ headers }: FastifyRequest): number | undefined {
  const { 'last-event-id': id } = headers
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && /^\d{1,16}$/.test(id)) return Number(id)
  throw new ParameterInvalid(`Last-Event-ID must be the id of an event, not ${quote(String(id))}`)
}
