import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JournalItem } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import {
  sizeOf,
  toJournalResponse,
  toResponseRecord,
} from '../../../src/controls/journal/journal-record.js'
import type { RequestRecord } from '../../../src/controls/journal/journal-record.js'
import { Journal, keepRequest } from '../../../src/controls/journal/journal.js'
import { ListQueryCompiler } from '../../../src/http/list/compile.js'
import { BASE, build, listUrl, logIn, send, waitFor } from '../../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const JSON_BODY = { 'content-type': 'application/json' }

/** The letter that the body with a number consists of. */
const toText = (index: number): string => String.fromCharCode(65 + (index % 26))

const toId = (number: number): string => `${number}`.padStart(12, '0')

/** Lists the entries of the journal. */
async function read(
  app: FastifyInstance,
  query?: unknown,
  projection?: unknown,
): Promise<JournalItem[]> {
  return (await app.inject(`/__admin${listUrl('requests', query, projection)}`)).json().data
}

t.test('an entry has all fields of a request and its response', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const before = Date.now()
  const [query, projection] = [{ formula: 'Si', 'a.b': { $gt: 1 } }, { limit: 1 }]
  await send(app, listUrl('materials', query, projection), {
    headers: { ...ANN, authorization: 'Bearer x', cookie: 'a=b', 'user-agent': 'test' },
  })
  const [entry] = await read(app)
  const { at, ms, response, ...rest } = entry as JournalItem
  t.same(response, {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      vary: 'Origin',
      'x-mock-lists': 'both',
      'x-total-count': '0',
    },
    size: 30,
    bodyState: 'complete',
    body: { status: 'success', data: [] },
  })
  t.same(rest, {
    _id: toId(1),
    method: 'GET',
    path: `${BASE}/materials`,
    url: BASE + listUrl('materials', query, projection),
    route: `${BASE}/materials`,
    resource: 'materials',
    query,
    projection,
    headers: {
      host: 'localhost:80',
      'user-agent': 'test',
      'x-account-id': 'ann',
      'x-auth-token': '***',
      authorization: '***',
      cookie: '***',
    },
    body: null,
    accountId: 'ann',
    status: 200,
    aborted: false,
    fault: null,
    upstream: null,
  })
  t.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now(), at)
  t.ok((ms ?? -1) > 0 && (ms ?? 1e9) < 5000, `${ms} ms`)
})

t.test('entries sort by _id in the order of arrival; the newest is first by default', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const paths = Array.from({ length: 11 }, (_, index) => `/at/${index + 1}`)
  for (const path of paths) await app.inject(path)
  const listPaths = async (...parameters: [query?: unknown, projection?: unknown]) =>
    (await read(app, ...parameters)).map(({ path }) => path)
  t.same(await listPaths({}, { sort: { _id: 1 } }), paths)
  t.same(await listPaths(), paths.toReversed())
  const [, , third] = await read(app)
  t.same(
    await listPaths({ _id: { $gt: third?._id } }),
    ['/at/11', '/at/10'],
    'the entries after one',
  )
})

t.test('a body that is sent in chunks has the same limit as any other', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, journalBody: 65_536 })
  for (const [length, isRecorded] of [
    [60_000, true],
    [70_000, false],
  ] as const) {
    const payload = Readable.from([JSON.stringify({ name: 'x'.repeat(length) })])
    const headers = { ...ANN, ...JSON_BODY }
    await app.inject({ method: 'PUT', url: `${BASE}/materials/create`, payload, headers })
    const [entry] = await read(app)
    t.equal(entry?.status, 200)
    t.equal('name' in Object(entry?.body), isRecorded, `${length}`)
  }
})

t.test('a password is masked in a repeated parameter too', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await send(app, '/materials?query={"password":"a1"}&query={"password":"b2"}', { headers: ANN })
  const [entry] = await read(app)
  t.same(entry?.query, ['{"password***', '{"password***'])
})

t.test('a condition on a masked value within another value is refused, too', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const ask = (query: object) =>
    app.inject(`/__admin/requests?query=${encodeURIComponent(JSON.stringify(query))}`)
  for (const query of [
    { body: { username: 'ann', password: 'wrong' } },
    { body: { $in: [{ username: 'ann', password: 'wrong' }] } },
    { 'body.accounts': { $elemMatch: { password: { $ne: 'wrong' } } } },
    { 'response.body': { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' } },
    { 'body.name': 'a token of mine' },
    { url: { $regex: '[?]token=abc' } },
    { 'body.name': { $not: { $regex: '^a token of mine$' } } },
    { $nor: [{ $expr: { $eq: ['wrong', '$body.password'] } }] },
    { $jsonSchema: { properties: { body: { properties: { password: { enum: ['wrong'] } } } } } },
  ]) {
    const { message } = (await ask(query)).json()
    t.match(message, /has a value that is masked in all requests/, JSON.stringify(query))
  }
  const { message } = (await ask({ $expr: { $eq: ['$body.password', 'wrong'] } })).json()
  t.match(message, /^query\.\$expr has a value that is masked/)
  for (const query of [
    { body: { username: 'ann', password: '***' } },
    { 'body.password': '***' },
    { 'body.accounts': { $elemMatch: { password: { $exists: true } } } },
    { 'body.grant_type': { $in: ['password', 'refresh_token'] } },
    { 'body.grant_type': { $regex: '^(password|refresh_tokens?)$' } },
    { url: { $regex: 'token=[*]+' } },
    { path: `${BASE}/reset-password/m1` },
    { $expr: { $eq: ['$path', `${BASE}/reset-password/m1`] } },
    { $expr: '$fault' },
    { 'response.headers.access-control-allow-headers': 'X-Auth-Token, X-Account-Id' },
  ])
    t.equal((await ask(query)).statusCode, 200, JSON.stringify(query))
})

t.test('failed requests are recorded, with their bodies', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, journalBody: 65_536 })
  const post = (url: string, payload: string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url, payload, headers })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const cases: [
    request: () => Promise<unknown>,
    entry: Partial<Record<keyof JournalItem, unknown>>,
  ][] = [
    [
      () => logIn(app, 'ann', 'secret'),
      { route: `${BASE}/login`, resource: null, body: { username: 'ann', password: '***' } },
    ],
    [() => logIn(app, 'ann', 'wrong'), { status: 401, accountId: null, body: { password: '***' } }],
    [() => send(app, '/materials?query=%7B&query=1'), { status: 401, query: ['{', '1'] }],
    [() => send(app, '/materials?query=%7B%20', { headers: ANN }), { status: 400, query: '{ ' }],
    [
      () => send(app, '/materials/m1/x?query=5'),
      { status: 404, route: null, resource: 'materials', query: 5 },
    ],
    [
      () => app.inject('/favicon.ico?projection='),
      { status: 404, path: '/favicon.ico', projection: '' },
    ],
    [() => send(app, '/materials', { method: 'DELETE' }), { status: 405, route: null, body: null }],
    [
      () => post(`${BASE}/materials`, '{"name": "new", "user": {"Password": "x"}}', JSON_BODY),
      { status: 405, body: { name: 'new', user: { Password: '***' } } },
    ],
    [
      () => post(`${BASE}/logout`, '{"name": "new", "list": [1]}', JSON_BODY),
      { status: 401, body: { name: 'new', list: [1] } },
    ],
    [
      () => post(`${BASE}/logout`, '{"password": "x", "list', { ...ANN, ...JSON_BODY }),
      { status: 400, body: '{"password***' },
    ],
    [
      () => post(`${BASE}/logout`, '{"password": "x", "list', { ...ANN, ...JSON_BODY }),
      { status: 400, body: '{"password***' },
    ],
    [
      () => post(`${BASE}/x`, 'user%5Bpassword%5D=x&password[]=y', form),
      { status: 404, body: { 'user[password]': '***', 'password[]': '***' } },
    ],
    [
      () => post(`${BASE}/x`, '{"note": "{\\"token\\": \\"x\\"}"}', JSON_BODY),
      { status: 404, body: { note: '{"token***' } },
    ],
    [() => send(app, '/x%3Ftoken=x'), { status: 404, path: `${BASE}/x?token=***` }],
    [
      () => post(`${BASE}/login`, '{"password": "x"}', JSON_BODY),
      { status: 415, body: { password: '***' } },
    ],
    [
      () => post(`${BASE}/x`, 'a=1&password=2', form),
      { status: 404, body: { a: '1', password: '***' } },
    ],
    [
      () => post(`${BASE}/login`, `username=${'x'.repeat(100_000)}`, form),
      { status: 413, body: { tooLong: 'more than 65536 bytes; --journal-body keeps more' } },
    ],
    [
      () => post(`${BASE}/x`, 'y'.repeat(100_000), { 'content-type': 'text/plain' }),
      { status: 404, body: { tooLong: 'more than 65536 bytes; --journal-body keeps more' } },
    ],
    [() => post(`${BASE}/x`, deep, JSON_BODY), { status: 404, body: Array }],
    [() => post(`${BASE}/logout`, deep, { ...ANN, ...JSON_BODY }), { status: 400, body: Array }],
  ]
  for (const [request, entry] of cases) {
    await request()
    if (entry.body) await waitFor(async () => (await read(app))[0]?.body !== null)
    t.match((await read(app))[0], entry, JSON.stringify(entry))
  }
})

t.test('an entry has the first 64 KiB of the response, without secrets', async (t) => {
  const name = 'é'.repeat(600)
  const materials = Array.from({ length: 60 }, (_, index) => ({ _id: `m${index}`, name }))
  const app = await build(t, { fixtures: { ...FIXTURES, materials }, journalBody: 65_536 })
  await send(app, '/materials/m1', { headers: ANN })
  await send(app, '/materials/m2', { headers: ANN })
  await send(app, '/materials', { headers: ANN })
  await logIn(app, 'ann', 'secret')
  await send(app, '/materials/m3')
  await send(app, '/materials/m1', { headers: ANN, method: 'HEAD' })
  const item = (_id: string) => ({ status: 'success', data: { _id, name } })
  const responses = (await read(app, {}, { sort: { _id: 1 } })).map(({ response }) => response)
  t.match(responses, [
    { status: 200, size: 1250, bodyState: 'complete', body: item('m1') },
    { status: 200, bodyState: 'complete', body: item('m2') },
    { status: 200, size: 61_219, bodyState: 'complete', body: { data: Array } },
    { status: 200, body: { 'X-Account-Id': 'ann', 'X-Auth-Token': '***' } },
    { status: 401, body: { status: 'error', data: { code: 'CREDENTIALS_REJECTED' } } },
    { status: 200, size: 0, bodyState: 'empty', body: null },
  ])
  await send(app, listUrl('materials', {}, { limit: 60 }), { headers: ANN })
  const [truncated] = await read(app)
  const cut = 'the first 65536 of 73459 bytes; --journal-body keeps more'
  t.match(truncated?.response, { size: 73_459, bodyState: 'truncated', cut })
  const body = truncated?.response?.body as string
  t.ok(body.startsWith('{"status":"success"') && !body.includes('\ufffd'))
  const bytes = Buffer.byteLength(body)
  t.ok(bytes === 65_536 || bytes === 65_535, `${bytes}`)
  for (const [query, count] of [
    [{ 'response.body.data._id': 'm2' }, 2],
    [{ 'response.status': 401 }, 1],
    [{ 'response.headers.content-type': { $regex: 'json' }, 'response.size': { $gt: 61_000 } }, 2],
  ] as const)
    t.equal((await read(app, query)).length, count, JSON.stringify(query))
})

t.test('the default list of shipped materials is whole', async (t) => {
  const app = await build(t)
  await send(app, '/materials', {
    headers: { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' },
  })
  t.match((await read(app))[0]?.response, { bodyState: 'complete', size: Number })
})

t.test('a response without a text says what it is', async (t) => {
  const text = { 'content-type': 'text/plain' }
  const cases: [headers: object, payload: unknown, response: object][] = [
    [{ 'content-type': 'image/png' }, Buffer.from('x'), { size: 1, bodyState: 'binary' }],
    [text, Buffer.from('password=x'), { size: 10, bodyState: 'complete', body: 'password***' }],
    [text, Readable.from(['x']), { size: null, bodyState: 'stream' }],
    [text, '', { size: 0, bodyState: 'empty' }],
    [{ 'set-cookie': ['a=b'], age: 5 }, null, { headers: { 'set-cookie': '***', age: '5' } }],
  ]
  for (const [headers, payload, expected] of cases) {
    const response = { status: 200, headers: headers as Record<string, string>, payload }
    t.match(toJournalResponse(200, toResponseRecord(response, 1024)), { body: null, ...expected })
  }
})

t.test('a request is read once, when somebody asks', async (t) => {
  const { journal, add } = createJournal()
  let reads = 0
  const readList = () => {
    reads += 1
    return {}
  }
  const body = {
    get a() {
      reads += 1
      return 1
    },
  }
  add('x', { url: '/x?a=1', parameters: { a: '1' }, readList, body })
  t.equal(reads, 0)
  const query = { ...new ListQueryCompiler().compile({}), query: {} }
  for (let time = 0; time < 2; time += 1)
    t.match(runToEnd(journal.find(query, keepRequest)), [{ body: { a: 1 } }])
  t.equal(reads, 2)
})

t.test('a response of no bytes is recorded', async (t) => {
  const { journal, add } = createJournal()
  add(Buffer.alloc(0))
  t.match(find(journal, {}).items[0]?.response, { size: 0, body: '' })
})

const EMPTY_RECORD: RequestRecord = {
  number: 0,
  bytes: 0,
  at: 0,
  start: 0,
  method: 'GET',
  url: '/',
  parameters: {},
  headers: {},
  accountId: undefined,
  route: undefined,
  readList: undefined,
}

/** Creates a journal of 1,000 requests, and a function that records one with its response. */
function createJournal(): {
  readonly journal: Journal
  readonly add: (body: Buffer | string, request?: Partial<RequestRecord>) => RequestRecord
} {
  const journal = new Journal(
    { capacity: 1000, bodyBytes: 65_536 },
    { collections: new Map() },
    { send: () => undefined },
  )
  return {
    journal,
    add: (payload, request) => {
      const record = {
        ...EMPTY_RECORD,
        ...request,
      }
      journal.record(record)
      journal.recordResponse(record, {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        payload,
      })
      return record
    },
  }
}

/** Runs a query of a journal. Returns the converted items and the number of steps. */
function find(journal: Journal, query: JsonObject): { items: JournalItem[]; steps: number } {
  const compiled = new ListQueryCompiler().compile({ query, projection: { limit: 500 } })
  const work = journal.find({ ...compiled, limit: 1000 }, function* (item) {
    yield 'reading the journal'
    return item as JournalItem
  })
  for (let steps = 1; ; steps += 1) {
    const step = work.next()
    if (step.done === true) return { items: step.value, steps }
  }
}

t.test('the newest bodies are kept in 8 MiB; older ones are dropped, never mixed up', async (t) => {
  const { journal, add } = createJournal()
  const sizes = Array.from({ length: 900 }, (_, index) => (index * 7919) % 70_000)
  for (const [index, size] of sizes.entries())
    add(index % 2 === 0 ? toText(index).repeat(size) : Buffer.alloc(size, toText(index)))
  const responses = find(journal, {})
    .items.toReversed()
    .map(({ response }) => response)
  const first = responses.findIndex((each) => each?.bodyState !== 'dropped' && each?.size !== 0)
  const bytes = sizes.slice(first).reduce((sum, size) => sum + size, 0)
  t.ok(bytes > 7 * 2 ** 20 && bytes <= 8 * 2 ** 20, `${bytes} bytes`)
  for (const [index, size] of sizes.entries()) {
    const bodyState =
      size === 0 ? 'empty' : index < first ? 'dropped' : size > 65_536 ? 'truncated' : 'complete'
    const isThere = index >= first && size > 0
    const body = isThere ? toText(index).repeat(Math.min(size, 65_536)) : null
    if (responses[index]?.bodyState !== bodyState) t.fail(`${index}: ${bodyState}`)
    if (responses[index]?.body !== body) t.fail(`body ${index}`)
  }
})

t.test('bodies are kept as they were sent, and of a large one only the start', async (t) => {
  const { journal, add } = createJournal()
  const [small, large] = [Buffer.alloc(200_000, 'a'), Buffer.alloc(9 * 2 ** 20, 'b')]
  t.equal(add(small).response?.body?.[0], small, 'no copy')
  t.equal(sizeOf(add(large).response?.body ?? []), 65_537)
  const euros = '€'.repeat(300_000)
  t.equal(sizeOf(add(euros).response?.body ?? []), 65_537)
  t.match(find(journal, {}).items, [
    { response: { size: 900_000, bodyState: 'truncated', body: '€'.repeat(21_845) } },
    { response: { size: 9 * 2 ** 20, bodyState: 'truncated', body: 'b'.repeat(65_536) } },
    { response: { size: 200_000, bodyState: 'truncated', body: 'a'.repeat(65_536) } },
  ])
})

t.test('requests have a bound of bytes, too; the oldest ones are removed', async (t) => {
  const { journal, add } = createJournal()
  for (let count = 0; count < 400; count += 1) add('', { bytes: 100_000 })
  t.ok(journal.size > 300 && journal.size < 336, `${journal.size} requests`)
  t.same(journal.gaps, { requests: 400 - journal.size, isOverCapacity: false })
  t.notOk(journal.isComplete)
  t.match(find(journal, {}).items[0], { _id: toId(400) })
  journal.clear()
  t.ok(journal.isComplete)
  const late = add('', { bytes: 100_000 })
  journal.clear()
  journal.recordResponse(late, { status: 200, headers: {}, payload: 'late' })
  t.same(find(journal, {}).items, [])
})

t.test(
  'the bytes of a request are those of its URL, its headers and its recorded body',
  async (t) => {
    const app = await build(t, { fixtures: FIXTURES, journalBody: 65_536 })
    const getBytes = async (headers: Record<string, string>, length: number): Promise<number> => {
      const url = `${BASE}/materials/create`
      await app.inject({ method: 'PUT', url, headers, payload: 'x'.repeat(length) })
      const { journal } = app.controls
      return journal.findRecord(journal.count)?.bytes ?? 0
    }
    const least = await getBytes({}, 10)
    t.ok(least > `${BASE}/materials/create`.length && least < 300, `${least} bytes`)
    t.equal(await getBytes({ 'x-long': 'x'.repeat(1000) }, 10), least + 1006)
    t.equal(await getBytes({}, 1010), least + 1002, 'Content-Length has two more digits')
    t.equal(await getBytes({}, 100_000), least - 10 + 65_536 + 4)
  },
)

t.test('a query reads the bodies of a full journal in steps of 64 KiB', async (t) => {
  const { journal, add } = createJournal()
  const text = JSON.stringify({ list: Array.from({ length: 6000 }, (_, n) => `text ${n}`) })
  for (let count = 0; count < 1000; count += 1)
    add('', { body: text.slice(0, 65_000), bytes: 65_000 })
  const { size } = journal
  t.ok(size > 500, `${size} requests`)
  for (const query of [{ body: 'x' }, { body: { $regex: 'text 6000' } }]) {
    const { items, steps } = find(journal, query)
    t.same(items, [])
    t.ok(steps >= size / 2, `${steps} steps`)
  }
})

t.test('the journal takes query and projection, and lists the newest first', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await send(app, listUrl('materials', { formula: 'Si' }), { headers: ANN })
  await send(app, '/materials/m1', { headers: ANN })
  await send(app, '/materials/m2', { headers: ANN })
  await send(app, '/materials/m1')
  const ids = async (query?: unknown, projection?: unknown) =>
    (await read(app, query, projection)).map(({ _id }) => String(Number(_id)))
  t.same(await ids(), ['4', '3', '2', '1'])
  t.same(await ids({}, { sort: { at: 1, _id: 1 } }), ['1', '2', '3', '4'])
  t.same(await ids({}, { skip: 1, limit: 2 }), ['3', '2'])
  t.same(await ids({ status: { $gte: 400 } }), ['4', '3'])
  t.same(await ids({ 'query.formula': 'Si' }), ['1'])
  t.same(await ids({ query: { formula: 'Si' } }), ['1'])
  t.same(await ids({ route: `${BASE}/materials/:id`, accountId: 'ann' }), ['3', '2'])
  t.same(await read(app, { _id: toId(4) }, { fields: { status: 1, _id: 0 } }), [{ status: 401 }])
  const count = async (query: object) =>
    (await app.inject(`/__admin${listUrl('requests/count', query)}`)).json()
  t.same(await count({ status: 200 }), {
    status: 'success',
    data: { count: 2, complete: true },
  })
  t.same((await app.inject('/__admin/requests/count')).json().data, { count: 4, complete: true })
  t.same((await app.inject({ method: 'DELETE', url: '/__admin/requests' })).json().data, {})
  t.same(await ids(), [])
  await send(app, '/materials')
  t.same(await ids(), ['5'], 'the numbers continue')
})

const countAll = async (app: FastifyInstance): Promise<unknown> =>
  (await app.inject('/__admin/requests/count')).json().data

t.test('a full journal drops the oldest entries; --journal 0 records none', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, journal: 60 })
  for (let count = 0; count < 70; count += 1) await send(app, '/materials')
  t.same(await countAll(app), { count: 60, complete: false })
  t.match(await read(app), [{ _id: toId(70) }])
  t.match(await read(app, {}, { skip: 59 }), [{ _id: toId(11) }])
  const off = await build(t, { fixtures: FIXTURES, journal: 0 })
  await send(off, '/materials')
  t.same(await read(off), [])
  t.same(await countAll(off), { count: 0, complete: false })
  await app.inject({ method: 'DELETE', url: '/__admin/requests' })
  t.same(await countAll(app), { count: 0, complete: true }, 'a cleared journal is complete')
})

t.test('the requests of the pages are not recorded', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, host: 'mock.example', admin: true })
  const page = { ...ANN, 'x-mock-page': 'true' }
  const cases: [url: string, headers: Record<string, string>, isRecorded: boolean][] = [
    [`${BASE}/materials`, page, false],
    [`${BASE}/nowhere`, page, false],
    [`${BASE}/materials`, { ...page, 'x-mock-page': 'yes' }, true],
    [`${BASE}/materials`, { ...page, host: 'mock.example:4000' }, false],
    ['/', {}, false],
    ['/explorer', {}, false],
    ['/ui/style.css', {}, false],
    ['/favicon.ico', {}, true],
  ]
  for (const [url, headers, isRecorded] of cases) {
    await app.inject({ url, headers })
    t.equal((await read(app)).length, isRecorded ? 1 : 0, JSON.stringify([url, headers]))
    app.controls.journal.clear()
  }
  const withoutControls = await build(t, { fixtures: FIXTURES, admin: false })
  await send(withoutControls, '/materials', { headers: page })
  t.equal(withoutControls.controls.journal.size, 1, 'where there are no controls')
})

t.test('the page receives a failure with 200, and its status in a header', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, admin: true })
  const off = await build(t, { fixtures: FIXTURES, admin: false })
  const cases: [
    url: string,
    headers: Record<string, string>,
    status: number,
    isInHeader: boolean,
  ][] = [
    ['/nowhere', { 'x-mock-page': 'true' }, 404, true],
    ['/nowhere', { 'x-mock-page': 'replay' }, 404, true],
    ['/nowhere', { 'x-mock-page': 'yes' }, 404, false],
    ['/materials?query={', { 'x-mock-page': 'true' }, 400, true],
    ['/materials', { 'x-mock-page': 'true', 'x-auth-token': 'wrong' }, 401, true],
    ['/materials', { 'x-mock-page': 'true' }, 200, false],
  ]
  for (const [url, own, status, isInHeader] of cases) {
    const request = { headers: { ...ANN, ...own } }
    const { statusCode, headers } = await send(app, url, request)
    t.equal(statusCode, isInHeader ? 200 : status, url)
    t.equal(headers['x-mock-status']?.toString(), isInHeader ? String(status) : undefined, url)
    const plain = await send(off, url, request)
    t.equal(plain.statusCode, status, `${url} where there are no controls`)
    t.equal(plain.headers['x-mock-status'], undefined)
  }
  await send(app, '/nowhere', { headers: { ...ANN, 'x-mock-page': 'replay' } })
  t.equal(app.controls.journal.findRecord(app.controls.journal.count)?.status, 404)
})

t.test('an entry has the fault, and nulls for a response that was never sent', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.controls.faults.add({ drop: 'hang', times: 1 })
  app.controls.faults.add({ drop: 'reset', times: 1 })
  app.controls.faults.add({ drop: 'truncate', times: 1 })
  app.controls.faults.add({ name: 'slow errors', status: 503, delay: { min: 5, max: 5 } })
  const { port } = app.server.address() as AddressInfo
  for (let count = 0; count < 3; count += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(`GET ${BASE}/materials HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await waitFor(async () => (await read(app)).length === count + 1)
    socket.destroy()
  }
  await app.inject({
    method: 'POST',
    url: `${BASE}/materials`,
    headers: JSON_BODY,
    payload: '{"name": "new"}',
  })
  await send(app, '/materials', { headers: { prefer: 'code=500' } })
  await send(app, '/materials', { headers: { prefer: 'return=minimal' } })
  app.controls.faults.clear()
  await send(app, '/materials', { headers: ANN })
  t.match(await read(app, {}, { sort: { _id: 1 } }), [
    { status: null, ms: null, fault: { rule: '1', drop: 'hang' } },
    { status: null, ms: null, fault: { rule: '2', drop: 'reset' } },
    { status: 401, fault: { rule: '3', drop: 'truncate' } },
    {
      status: 503,
      body: { name: 'new' },
      fault: { rule: '4', name: 'slow errors', delay: 5, status: 503 },
    },
    { status: 500, fault: { rule: null, status: 500 } },
    { status: 503, fault: { rule: '4' } },
    { status: 200, fault: null },
  ])
  t.equal((await read(app, { fault: { $ne: null } })).length, 6)
})
