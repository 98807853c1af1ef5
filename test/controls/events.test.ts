import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'

import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import { streamEvents } from '../../src/controls/events/event-routes.js'
import type { BuildOptions } from '../../src/server/app.js'
import { BASE, EMPTY_RESOURCES, build, send, waitFor } from '../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
  projects: [{ _id: 'p1' }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

interface SentEvent {
  readonly event: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each event has other data
  readonly data: any
}

/** Parses an event stream. Comments are left out. */
const parseEvents = (text: string): SentEvent[] =>
  [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }))

/** An open event stream, as a client reads it. */
interface Reader {
  readonly response: IncomingMessage
  /** All events so far. */
  readonly events: () => SentEvent[]
  close(): void
}

const start = async (t: Test, options: BuildOptions = {}): Promise<FastifyInstance> => {
  const app = await build(t, { fixtures: FIXTURES, ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

/** Opens the events of a server, and waits for its response. */
async function follow(t: Test, app: FastifyInstance, path = '/__admin/events'): Promise<Reader> {
  const { port } = app.server.address() as { port: number }
  const request = get({ port, path, agent: false })
  t.teardown(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  response.on('error', () => undefined)
  return { response, events: () => parseEvents(text), close: () => request.destroy() }
}

/** Follows from now on: after the event `start`. */
async function followFromNow(t: Test, app: FastifyInstance): Promise<Reader> {
  const reader = await follow(t, app)
  await waitFor(() => reader.events().length === 1)
  return reader
}

const toPairs = (events: readonly SentEvent[]): [event: string, data: unknown][] =>
  events.map(({ event, data }) => [event, data])

t.test('each request is an event when it arrives, and another when it ends', async (t) => {
  const app = await start(t)
  await send(app, '/materials/m1', { headers: ANN })
  const reader = await followFromNow(t, app)
  t.match(reader.response.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  })
  await send(app, '/materials?query={"formula":"Si"}', {
    headers: { ...ANN, 'x-mock-page': 'true' },
  })
  await send(app, '/materials?query={"formula":"Si"}', { headers: ANN })
  app.controls.faults.add({ status: 503, name: 'errors', times: 1 })
  await send(app, '/materials/m1?token=x')
  await app.inject('/__admin/health')
  await waitFor(() => reader.events().length >= 6)
  const path = `${BASE}/materials`
  t.match(
    toPairs(reader.events()).filter(([name]) => name !== 'faults'),
    [
      ['start', { request: '000000000001', server: app.controls.events.server }],
      [
        'request',
        { _id: '000000000002', method: 'GET', path, query: { formula: 'Si' }, accountId: 'ann' },
      ],
      ['response', { _id: '000000000002', status: 200, ms: Number, fault: null }],
      ['request', { _id: '000000000003', method: 'GET', path: `${path}/m1`, query: null }],
      ['response', { _id: '000000000003', status: 503, fault: { name: 'errors' } }],
    ],
  )
  const head = await app.inject({ method: 'HEAD', url: '/__admin/events' })
  t.equal(head.headers['content-type'], 'text/event-stream')
})

t.test('a request that gets no response ends too', async (t) => {
  const app = await start(t)
  const reader = await followFromNow(t, app)
  app.controls.faults.add({ drop: 'reset', times: 1 })
  await t.rejects(send(app, '/materials'))
  await waitFor(() => reader.events().some(({ event }) => event === 'response'))
  const response = reader.events().find(({ event }) => event === 'response')
  t.match(response?.data, { status: null, ms: null, fault: { drop: 'reset' } })
})

t.test('a burst is neither lost nor doubled', async (t) => {
  const app = await start(t, { journal: 5000 })
  const reader = await followFromNow(t, app)
  const count = 3000
  for (let number = 0; number < count; number += 100)
    await Promise.all(Array.from({ length: 100 }, () => send(app, '/projects/p1')))
  await waitFor(() => reader.events().length === 1 + 2 * count)
  for (const name of ['request', 'response']) {
    const events = reader.events().filter(({ event }) => event === name)
    t.same(
      events.map(({ data }) => Number(data._id)).toSorted((one, other) => one - other),
      Array.from({ length: count }, (_, index) => index + 1),
      `each ${name} of the journal is one event`,
    )
  }
})

/** Merges the events of items, of which there is one for each tenth of a second with changes. */
function mergeItems(events: readonly SentEvent[]): [event: string, data: unknown][] {
  const resources = new Set(events.flatMap(({ data }) => data.resources ?? []))
  const first = events.findIndex(({ event }) => event === 'items')
  return events.flatMap(({ event, data }, index): [string, unknown][] => {
    if (event !== 'items') return [[event, data]]
    return index === first ? [[event, { resources: [...resources].toSorted() }]] : []
  })
}

t.test('changes of faults, snapshots and items are events; a reset is one too', async (t) => {
  const app = await start(t)
  const reader = await followFromNow(t, app)
  const expectEvents = async (act: () => unknown, expected: [string, object?][]): Promise<void> => {
    const before = reader.events().length
    await act()
    const listNew = () => mergeItems(reader.events().slice(before))
    await waitFor(() => listNew().length >= expected.length)
    const events = expected.map(([name, data = {}]) => [name, data])
    await waitFor(() => JSON.stringify(listNew()) === JSON.stringify(events)).catch(() => undefined)
    t.same(listNew(), events)
  }
  const inject = (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) => () =>
    app.inject({ method, url: `/__admin${url}`, ...(payload && { payload }) })
  await expectEvents(inject('POST', '/faults', { status: 500 }), [['faults']])
  await expectEvents(inject('PUT', '/snapshots/one'), [['snapshots']])
  const before = performance.now()
  await expectEvents(async () => {
    for (let count = 0; count < 20; count += 1)
      await inject('PUT', '/fixtures/projects', [{ _id: `p${count}` }])()
    await inject('PUT', '/fixtures/materials', [])()
  }, [['items', { resources: ['materials', 'projects'] }]])
  const changes = reader.events().filter(({ event }) => event === 'items').length
  const ms = performance.now() - before
  t.ok(changes <= ms / 100 + 1, `21 writes in ${ms} ms are ${changes} events`)
  await expectEvents(inject('DELETE', '/requests'), [['requests']])
  const all = [...EMPTY_RESOURCES, 'materials', 'projects'].toSorted()
  await expectEvents(inject('POST', '/snapshots/one/restore'), [['items', { resources: all }]])
  const come = [['items', { resources: ['things'] }]] as [string, object][]
  await expectEvents(inject('PUT', '/fixtures/things', []), come)
  const gone = [['items', { resources: [...all, 'things'].toSorted() }]] as [string, object][]
  await expectEvents(inject('POST', '/snapshots/one/restore'), gone)
  await expectEvents(inject('POST', '/reset'), [
    ['requests'],
    ['reset'],
    ['faults'],
    ['items', { resources: all }],
  ])
})

t.test('open streams do not hold the close of the server', async (t) => {
  const app = await start(t)
  const readers = await Promise.all([1, 2, 3].map(() => followFromNow(t, app)))
  const ended = readers.map(({ response }) => once(response, 'end'))
  await app.close()
  // A stream that the close had cut would have an error in place of its end.
  await t.resolves(Promise.all(ended))
})

t.test('there are at most 100 streams', async (t) => {
  const app = await start(t)
  const readers = await Promise.all(Array.from({ length: 100 }, () => follow(t, app)))
  const refused = await app.inject('/__admin/events')
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), {
    message: 'there must be at most 100 event streams; close some first',
    data: { code: 'BOUND_EXCEEDED' },
  })
  readers[0]?.close()
  await waitFor(async () => (await follow(t, app)).response.statusCode === 200)
})

t.test('streams that wait for an earlier response end with their connection', async (t) => {
  const app = await start(t)
  app.controls.faults.add({ drop: 'hang' })
  const socket = connect({ ...(app.server.address() as { port: number }), host: '127.0.0.1' })
  const paths = [`${BASE}/materials`, ...Array.from({ length: 100 }, () => '/__admin/events')]
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  const isServed = async (): Promise<boolean> => {
    const { response, close } = await follow(t, app)
    close()
    return response.statusCode === 200
  }
  await waitFor(async () => !(await isServed()))
  socket.resetAndDestroy()
  await waitFor(isServed)
})

/** A response whose reader takes nothing until `release`. */
class SlowResponse extends Writable {
  text = ''
  #release: (() => void) | undefined
  isSlow = true

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    if (this.isSlow) this.#release = done
    else done()
  }

  release(): void {
    this.isSlow = false
    this.#release?.()
  }
}

t.test('a slow reader is disconnected, and follows no events any more', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const response = new SlowResponse({ highWaterMark: 1 })
  streamEvents(response as unknown as ServerResponse, app.controls.events)
  let waiting = 0
  const url = `/projects/p1?${'x'.repeat(10_000)}`
  for (let count = 0; count < 200 && !response.destroyed; count += 1) {
    waiting = response.writableLength
    await send(app, url)
  }
  t.ok(response.destroyed)
  t.ok(waiting > 900_000 && waiting < 2 ** 20, `${waiting} bytes waited for it`)
  const { writableLength } = response
  await send(app, url)
  t.equal(response.writableLength, writableLength)
})

t.test('a comment shows that the connection is alive, until it ends', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const response = new SlowResponse()
  response.release()
  streamEvents(response as unknown as ServerResponse, app.controls.events, 20)
  await waitFor(() => response.text.startsWith(':\n\n:\n\n'))
  response.end()
  await send(app, '/projects/p1')
  t.notMatch(response.text, 'event: request')
})

t.test('each sandbox has events of its own, which end with it', async (t) => {
  const app = await start(t)
  const open = (name: string): Promise<Reader> => {
    app.sandboxes.make(name)
    return follow(t, app, `/sandboxes/${name}/__admin/events`)
  }
  const [ann, bob] = [await open('ann'), await open('bob')]
  const ends = [ann, bob].map(({ response }) => once(response, 'end'))
  await app.inject({ url: `/sandboxes/ann${BASE}/materials`, headers: ANN })
  await waitFor(() => ann.events().some(({ event }) => event === 'response'))
  await app.inject({ method: 'PUT', url: '/__admin/sandboxes/ann' })
  await ends[0]
  await app.inject({ method: 'DELETE', url: '/__admin/sandboxes/bob' })
  await ends[1]
  t.same(
    ann.events().map(({ event }) => event),
    ['start', 'request', 'response'],
  )
  t.same(
    bob.events().map(({ event }) => event),
    ['start'],
  )
})
