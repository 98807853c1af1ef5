import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

import type { FastifyInstance } from 'fastify'
import t from 'tap'

import { runToEnd } from '@materials-mock/work'
import { Faults } from '../../src/controls/faults/fault-rules.js'
import { createBodyReader } from '../../src/http/read-body.js'
import { FileStorage } from '../../src/store/files/file-storage.js'
import { BASE, build, waitFor } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm' }],
  jobs: [],
}
const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

async function listen(app: FastifyInstance): Promise<AddressInfo> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address() as AddressInfo
}

t.test(
  'no fault rule is added while the memory is full, and a response has no trailer',
  async (t) => {
    const faults = new Faults()
    faults.add({ status: 500 })
    const heap = { ...v8.getHeapStatistics(), used_heap_size: 950, heap_size_limit: 1000 }
    const replaced = replace(t, v8, 'getHeapStatistics', () => heap)
    t.throws(() => faults.add({ status: 500 }), {
      code: 'BOUND_EXCEEDED',
      message: /^the server's memory is full/,
    })
    replaced()
    t.throws(() => faults.add({ headers: { Trailer: 'x' } }), {
      code: 'BODY_INVALID',
      message: 'headers must not have Trailer; no response has trailers',
    })
  },
)

t.test('there are at most 200 snapshots and 10,000 files', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const take = (name: string | number) =>
    app.inject({ method: 'PUT', url: `/__admin/snapshots/${name}` })
  for (let count = 0; count < 200; count += 1) app.store.snapshots.take(String(count))
  t.match((await take('one-more')).json().data, {
    code: 'BOUND_EXCEEDED',
    message: 'there must be at most 200 snapshots; remove some first',
  })
  t.equal((await take(7)).statusCode, 200, 'it replaces one')

  const files = new FileStorage({ count: 0 })
  for (let count = 0; count < 10_000; count += 1) files.put(`f${count}`, Buffer.alloc(0))
  t.throws(() => files.put('one more', Buffer.alloc(0)), {
    code: 'BOUND_EXCEEDED',
    message: 'there must be at most 10000 files; reset to remove all',
  })
  files.put('f7', Buffer.from('replaced'))
})

t.test('a snapshot has no indexes, and asks for the memory of its items', async (t) => {
  const notes = Array.from({ length: 1000 }, (_, index) => ({ _id: `n${index}`, a: index }))
  const app = await build(t, { fixtures: { ...FIXTURES, notes } })
  const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string) =>
    app.inject({ method, url, headers: HEADERS })
  const { snapshots } = app.store
  const hasIndex = (name: string) =>
    snapshots.states.get(name)?.collections.get('notes')?.views.all.hasIndex('a')
  await request('DELETE', `${BASE}/notes/n7`)
  await request('GET', `${BASE}/notes?a=5`)
  t.ok(runToEnd(app.store.getCollection('notes').view(() => true)).hasIndex('a'))
  await request('PUT', '/__admin/snapshots/s')
  t.equal(hasIndex('s'), false)
  await request('DELETE', `${BASE}/notes/n8`)
  await request('POST', '/__admin/snapshots/s/restore')
  t.match((await request('GET', `${BASE}/notes?a=8`)).json().data, [{ _id: 'n8' }])
  t.equal(hasIndex('s'), false, 'an index of the state that was restored from it')

  const heap = { ...v8.getHeapStatistics(), used_heap_size: 899_990, heap_size_limit: 2_000_000 }
  replace(t, v8, 'getHeapStatistics', () => heap)
  t.match((await request('PUT', '/__admin/snapshots/s')).json().data, {
    code: 'BOUND_EXCEEDED',
    message: /^the server's memory is full/,
  })
})

t.test('the files of all sandboxes have a size together', async (t) => {
  const shared = { count: 2 ** 30 - 1000 }
  const [first, second] = [new FileStorage(shared), new FileStorage(shared)]
  first.put('a', Buffer.alloc(600))
  const message =
    'the files of all sandboxes must have at most 1073741824 bytes; end some sandboxes, or reset'
  t.throws(() => second.put('b', Buffer.alloc(500)), { code: 'BOUND_EXCEEDED', message })
  first.put('a', Buffer.alloc(500))
  second.put('b', Buffer.alloc(500))
  t.throws(() => first.put('c', Buffer.alloc(1)), { code: 'BOUND_EXCEEDED' })
  second.clear()
  first.put('c', Buffer.alloc(500))
  first.end()
  first.put('d', Buffer.alloc(500))
  t.equal(shared.count, 2 ** 30 - 1000, 'an upload that outlives its sandbox takes nothing')

  const app = await build(t, { fixtures: FIXTURES })
  const content = Buffer.alloc(2 ** 25)
  const fill = (name: string): void => {
    const { files } = app.sandboxes.make(name).store
    for (let count = 0; count < 4; count += 1) files.put(`f${count}`, content)
  }
  for (let count = 0; count < 8; count += 1) fill('same')
  for (let count = 0; count < 7; count += 1) fill(`s${count}`)
  t.throws(() => fill('more'), { code: 'BOUND_EXCEEDED' })
  app.sandboxes.end('s0')
  fill('more')
})

t.test('bodies that arrive at the same time have a size together', async (t) => {
  const readBody = createBodyReader(100_000)
  const read = (stream: Readable) =>
    readBody(Object.assign(stream, { headers: {} }) as never, 1_000_000)
  const [slow, other] = [new Readable({ read: () => {} }), new Readable({ read: () => {} })]
  const [first, second] = [read(slow), read(other)]
  slow.push(Buffer.alloc(70_000))
  await new Promise((resolve) => slow.once('readable', () => setImmediate(resolve)))
  other.push(Buffer.alloc(40_000))
  await t.rejects(second, {
    code: 'BOUND_EXCEEDED',
    message: /^all bodies that arrive at the same time must have at most 100000 bytes/,
  })
  slow.push(null)
  const { bytes, release } = await first
  t.equal(bytes.length, 70_000)
  await t.rejects(read(Readable.from([Buffer.alloc(90_000)])), { code: 'BOUND_EXCEEDED' })
  release()
  release()
  t.equal((await read(Readable.from([Buffer.alloc(90_000)]))).bytes.length, 90_000, 'there is room')
})

/** Creates a body of ten chunks, which are read one by one. */
const createBody = (): Readable => {
  let left = 10
  return new Readable({
    highWaterMark: 1,
    read() {
      this.push(left-- > 0 ? Buffer.alloc(20_000) : null)
    },
  })
}

t.test('of all large bodies, one chunk is read in a turn of the event loop', async (t) => {
  const readBody = createBodyReader()
  const bodies = Array.from({ length: 5 }, async () =>
    readBody(Object.assign(createBody(), { headers: {} }) as never, 1_000_000),
  )
  const state = { turns: 0, isDone: false }
  const counting = (): void => {
    state.turns += 1
    if (!state.isDone) setImmediate(counting)
  }
  setImmediate(counting)
  for (const body of await Promise.all(bodies)) t.equal(body.bytes.length, 200_000)
  state.isDone = true
  // A stream may join two chunks that it holds.
  t.ok(state.turns >= 25, `${state.turns} turns`)
})

t.test('who asks for an item that is there, or opens the page, waits for no jobs', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const clock = new EventEmitter()
  const finished = once(clock, 'finished')
  replace(t, app.store.jobClock, 'advance', () => finished)
  const get = (path: string) => app.inject({ url: `${BASE}${path}`, headers: HEADERS })
  t.equal((await get('/materials/m')).statusCode, 200)
  let waiting = 4
  const others = ['/materials', '/materials/new', '/jobs/j', '/properties'].map((path) =>
    get(path).then(() => (waiting -= 1)),
  )
  await get('/materials/m')
  for (const path of ['/accounts', '/faults', '/clock'])
    t.equal((await app.inject(`/__admin${path}`)).statusCode, 200)
  const session = await app.inject({ method: 'POST', url: '/__admin/sessions' })
  t.equal(session.statusCode, 200)
  t.equal(waiting, 4)
  clock.emit('finished')
  await Promise.all(others)
})

t.test('a sandbox that has ended is kept by no timer of its faults', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { faults } = app.sandboxes.make('ann')
  faults.add({ status: 500, ttl: 86_400_000 })
  app.sandboxes.make('ann')
  t.ok(faults.isEmpty)
})

t.test('when the heap is full, nothing more waits, and all else goes on', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  app.controls.faults.add({ path: '/api/*/jobs', drop: 'hang' })
  const { port } = await listen(app)
  const get = async (path: string, headers = {}): Promise<number> => {
    const url = `http://127.0.0.1:${port}${BASE}${path}`
    return (await fetch(url, { headers: { ...HEADERS, ...headers } })).status
  }
  const waiting = connect({ port, host: '127.0.0.1' })
  waiting.write(`GET ${BASE}/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await waitFor(() => app.controls.journal.size === 1)

  const heap = { ...v8.getHeapStatistics(), used_heap_size: 950, heap_size_limit: 1000 }
  replace(t, v8, 'getHeapStatistics', () => heap)
  t.equal(await get('/materials', { prefer: 'delay=1' }), 400)
  t.equal(await get('/jobs'), 400)
  t.equal(await get('/materials'), 200)
  waiting.destroy()
})

t.test(
  'a replacement that the memory has no room for is refused, and replaces nothing',
  async (t) => {
    const app = await build(t, { fixtures: FIXTURES })
    const put = (count: number) =>
      app.inject({
        method: 'PUT',
        url: '/__admin/fixtures/materials',
        payload: Array.from({ length: count }, (_, index) => ({ _id: `n${index}` })),
      })
    const empty = v8.getHeapStatistics()
    const full = { ...empty, used_heap_size: 950, heap_size_limit: 1000 }
    let checks = 0
    replace(t, v8, 'getHeapStatistics', () => (checks++ < 5 ? empty : full))
    t.match((await put(1000)).json().data, {
      code: 'BOUND_EXCEEDED',
      message: /^the server's memory is full/,
    })
    t.same(
      app.store.getCollection('materials').entries.map(({ item }) => item),
      [{ _id: 'm' }],
    )
    t.equal((await put(1)).statusCode, 400)
    t.equal((await put(0)).statusCode, 200, 'an empty array makes room')
  },
)

t.test('while the memory is full, a deleted item is not kept for an undo', async (t) => {
  const app = await build(t, { fixtures: { ...FIXTURES, materials: [{ _id: 'm' }, { _id: 'n' }] } })
  const remove = async (id: string): Promise<number> =>
    (await app.inject({ method: 'DELETE', url: `${BASE}/materials/${id}`, headers: HEADERS }))
      .statusCode
  const restore = async (id: string): Promise<number> =>
    (await app.inject({ method: 'POST', url: `/__admin/fixtures/materials/${id}/restore` }))
      .statusCode
  t.equal(await remove('m'), 200)
  const heap = { ...v8.getHeapStatistics(), used_heap_size: 950, heap_size_limit: 1000 }
  const replaced = replace(t, v8, 'getHeapStatistics', () => heap)
  t.equal(await remove('n'), 200)
  replaced()
  for (const id of ['m', 'n']) t.equal(await restore(id), 404)
})

t.test('while the memory is full, deleted items of all collections are forgotten', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, journal: 0 })
  const remove = async (sandbox: string) => {
    const url = `${sandbox}${BASE}/materials/m`
    t.equal((await app.inject({ method: 'DELETE', url, headers: HEADERS })).statusCode, 200)
  }
  const restore = async (sandbox: string): Promise<number> => {
    const url = `${sandbox}/__admin/fixtures/materials/m/restore`
    return (await app.inject({ method: 'POST', url })).statusCode
  }
  await app.inject({ method: 'PUT', url: '/__admin/sandboxes/ann' })
  await remove('')
  await remove('/sandboxes/ann')
  const heap = { ...v8.getHeapStatistics(), used_heap_size: 950, heap_size_limit: 1000 }
  const replaced = replace(t, v8, 'getHeapStatistics', () => heap)
  const create = {
    method: 'PUT',
    url: `${BASE}/jobs/create`,
    headers: HEADERS,
    payload: {},
  } as const
  t.match((await app.inject(create)).json().data, { code: 'BOUND_EXCEEDED' })
  t.equal(await restore(''), 404, 'before a write is refused')
  for (let count = 0; count < 64; count += 1)
    await app.inject({ url: `${BASE}/materials`, headers: HEADERS })
  replaced()
  t.equal(await restore('/sandboxes/ann'), 404, 'and in every sandbox as requests arrive')
})

t.test('an open connection does not keep what it has received', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { port } = await listen(app)
  const { connections } = app
  await (await fetch(`http://127.0.0.1:${port}${BASE}/materials`, { headers: HEADERS })).text()
  await waitFor(() => [...connections.values()].every(({ responses }) => responses.length === 0))
  t.equal(connections.size, 1)
})

const toRequest = (prefer: string): string =>
  `GET ${BASE}/materials HTTP/1.1\r\nHost: localhost\r\nPrefer: ${prefer}\r\n\r\n`

t.test('a response that waits does not keep those before it', async (t) => {
  v8.setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const app = await build(t, { fixtures: FIXTURES })
  app.controls.faults.add({ name: 'hang', drop: 'hang' })
  const responses: WeakRef<object>[] = []
  app.server.on('request', (_request, response) => responses.push(new WeakRef(response)))
  const { port } = await listen(app)
  const socket = connect({ port, host: '127.0.0.1' }).resume()
  t.teardown(() => socket.destroy())
  const faults = ['delay=20', 'delay=20', 'delay=20', 'fault=hang']
  socket.write(faults.map(toRequest).join(''))
  await waitFor(() => app.controls.journal.size === faults.length)
  await waitFor(() => {
    collectGarbage()
    return responses[0]?.deref() === undefined
  })
  t.ok(responses.at(-1)?.deref(), 'the last one waits')
})

t.test('a large list is sent text by text', async (t) => {
  const text = 'é'.repeat(1_000_000)
  const materials = Array.from({ length: 5 }, (_, index) => ({ _id: `m${index}`, text }))
  const app = await build(t, { fixtures: { ...FIXTURES, materials } })
  const expected = JSON.stringify({ status: 'success', data: materials })
  const request = { url: `${BASE}/materials`, headers: HEADERS }
  const response = await app.inject(request)
  t.ok(response.body === expected)
  t.equal(response.headers['content-length'], String(Buffer.byteLength(expected)))
  const head = await app.inject({ ...request, method: 'HEAD' })
  t.same([head.body, head.headers['content-length']], ['', String(Buffer.byteLength(expected))])
  app.controls.faults.add({ drop: 'truncate', times: 1 })
  await t.rejects(app.inject(request), /destroyed/)
})

t.test('the name of a client has a length', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = `client_id=${'x'.repeat(1001)}`
  const url = '/oidc/device/auth'
  const response = await app.inject({ method: 'POST', url, headers, payload })
  t.match(response.json(), { error: 'invalid_request', error_description: /1000 characters/ })
})
