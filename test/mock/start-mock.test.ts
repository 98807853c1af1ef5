import { setTimeout } from 'node:timers/promises'

import t from 'tap'
import type { Test } from 'tap'

import type { Fault } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { ParameterInvalid } from '../../src/errors.js'
import type { SeedItems } from '../../src/fixtures/seed/seed-store.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'
import { buildApp } from '../../src/server/app.js'
import type { BuildOptions } from '../../src/server/app.js'
import { BASE } from '../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [
    { _id: 'm1', name: 'one' },
    { _id: 'm2', name: 'two' },
  ],
}
const HEADERS = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

/** A response with an error. */
interface Failure {
  readonly data: { readonly message: string; readonly code: string }
}

async function start(t: Test, options: BuildOptions = {}): Promise<Mock> {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent', ...options })
  t.teardown(() => mock.close())
  return mock
}

const list = (mock: Mock, init: RequestInit = {}) =>
  mock.fetch(`${BASE}/materials`, { headers: HEADERS, ...init })

t.test('mock.fetch returns the same response as fetch over the network', async (t) => {
  const mock = await start(t)
  t.match(mock.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const requests: [path: string, init: RequestInit][] = [
    [`${BASE}/materials`, { headers: HEADERS }],
    [`${BASE}/materials/`, { headers: HEADERS, method: 'HEAD' }],
    [`${BASE}/materials/m1`, { headers: HEADERS }],
    [`${BASE}/materials/m9`, { headers: HEADERS }],
    [`${BASE}/materials`, {}],
    [
      `${BASE}/login`,
      { method: 'POST', body: new URLSearchParams({ username: 'ann', password: 'wrong' }) },
    ],
    [`${BASE}/login`, { method: 'PUT', body: 'x' }],
    [`${BASE}/materials/create`, { headers: HEADERS, method: 'PUT', body: '{"name": "ångström"}' }],
  ]
  for (const [path, init] of requests) {
    const [injected, real] = [await mock.fetch(path, init), await fetch(mock.url + path, init)]
    t.equal(injected.status, real.status, `${init.method ?? 'GET'} ${path}`)
    t.equal(injected.headers.get('content-type'), real.headers.get('content-type'))
    t.equal(injected.headers.get('allow'), real.headers.get('allow'))
    t.equal(injected.headers.get('content-length'), real.headers.get('content-length'))
    t.equal(await injected.text(), await real.text())
  }
})

t.test('mock.fetch accepts a Request, a URL and a path, with any host', async (t) => {
  const mock = await start(t)
  const url = `https://platform.example.org${BASE}/materials`
  for (const input of [
    new Request(url, { headers: HEADERS }),
    new URL(url),
    url,
    `${BASE}/materials`,
  ]) {
    t.match(await (await mock.fetch(input, { headers: HEADERS })).json(), {
      status: 'success',
      data: [{ _id: 'm1' }, { _id: 'm2' }],
    })
  }
})

t.test('URLs in a response have the scheme and the host of the request', async (t) => {
  const mock = await start(t)
  for (const origin of ['http://platform.example.org', 'https://platform.example.org', mock.url]) {
    const document = await (await mock.fetch(`${origin}${BASE}/swagger.json`)).json()
    t.match(document, { servers: [{ url: origin + BASE }] })
  }
})

t.test('mock.fetch refuses a method that is none', async (t) => {
  const mock = await start(t)
  for (const [method, message] of [
    [
      'propFind',
      "the method must be one of this server's, in capitals, such as PROPFIND, not propFind",
    ],
    ['FOO', "the method must be one of this server's, in capitals, such as PATCH, not FOO"],
  ] as const) {
    const response = await mock.fetch(`${BASE}/materials/m1`, { method, headers: HEADERS })
    t.match(response, { status: 400, headers: { get: Function } })
    t.match(await response.json(), {
      status: 'error',
      data: { code: 'REQUEST_MALFORMED', message },
    })
  }
})

t.test('mock.fetch takes a request as its options', async (t) => {
  const mock = await start(t)
  const at = 'https://elsewhere.example.org/'
  const json = { ...HEADERS, 'Content-Type': 'application/json' }
  const patch = { method: 'PATCH', headers: json, body: '{"name": "new"}' }
  const patched = await mock.fetch(`${BASE}/materials/m1`, new Request(at, patch))
  t.match(await patched.json(), { data: { name: 'new' } })
  const remove = new Request(at, { method: 'DELETE', headers: HEADERS })
  t.equal((await mock.fetch(`${BASE}/materials/m1`, remove)).status, 200)
  t.equal((await mock.fetch(`${BASE}/materials/m1`, { headers: HEADERS })).status, 404)
})

t.test('a form of another realm is sent as a form', async (t) => {
  const mock = await start(t)
  const form = {
    [Symbol.toStringTag]: 'URLSearchParams',
    toString: () => 'username=ann&password=x',
  }
  const init = { method: 'POST', body: form as unknown as URLSearchParams }
  t.equal((await mock.fetch(`${BASE}/login`, init)).status, 200)
})

t.test('the body of a refused request is recorded when its response is there', async (t) => {
  const mock = await start(t)
  const type = { 'Content-Type': 'application/json' }
  const refused: [status: number, path: string, init: RequestInit][] = [
    [401, '/materials/create', { method: 'PUT', headers: type }],
    [404, '/nope', { method: 'POST', headers: type }],
    [405, '/materials/m1', { method: 'POST', headers: { ...HEADERS, ...type } }],
    [415, '/materials/create', { method: 'PUT', headers: { ...HEADERS, 'Content-Type': 'a/b' } }],
  ]
  const overNetwork = (path: string, init: RequestInit) => fetch(mock.url + path, init)
  for (const send of [mock.fetch, overNetwork]) {
    for (const [status, path, init] of refused) {
      mock.reset()
      const body = '{"name": "n"}'
      t.equal((await send(BASE + path, { ...init, body })).status, status)
      const [request] = await mock.requests()
      t.same(request?.body, status === 415 ? body : { name: 'n' }, `${status}`)
    }
  }
})

t.test('mock.fetch rejects a dropped or aborted request as fetch does', async (t) => {
  const mock = await start(t)
  mock.faults.add({ drop: 'reset' })
  await t.rejects(list(mock), TypeError)
  mock.faults.clear()
  await t.rejects(list(mock, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  mock.faults.add({ drop: 'hang' })
  await t.rejects(list(mock, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  const controller = new AbortController()
  const reason = list(mock, { signal: controller.signal }).catch((thrown: unknown) => thrown)
  controller.abort('enough')
  t.equal(await reason, 'enough')
})

t.test('mock.fetch resolves at the headers, and its body ends with its reader', async (t) => {
  const mock = await start(t)
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = []
  const open = async (init: RequestInit = {}) => {
    const { status, body } = await mock.fetch('/__admin/events', init)
    t.equal(status, 200)
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    readers.push(reader)
    return reader
  }
  const reader = await open()
  await list(mock)
  let text = ''
  while (!text.includes('event: response'))
    text += Buffer.from((await reader.read()).value ?? []).toString()
  t.match(text, /event: request\n/)
  // There may be 100 streams: each of these ends before the next ones are opened.
  for (let count = 0; count < 150; count += 1) await (await open()).cancel()
  const controller = new AbortController()
  const aborted = await open({ signal: controller.signal })
  const rest = (async () => {
    while (!(await aborted.read()).done);
  })()
  controller.abort(new Error('enough'))
  await t.rejects(rest, { message: 'enough' })
  mock.faults.add({ drop: 'truncate', times: 1 })
  const truncated = await list(mock)
  t.equal(truncated.status, 200)
  await t.rejects(truncated.text(), TypeError)
  // No part of a slow body that arrives after its reader has gone ends the process.
  mock.faults.add({ bandwidth: 1000 })
  const { body: slow } = await mock.fetch(`${BASE}/swagger.json`)
  await slow?.cancel()
  await setTimeout(200)
})

t.test('restore and reset restore a snapshot and the state after the start', async (t) => {
  const mock = await start(t)
  const ids = async () =>
    ((await (await list(mock)).json()) as { data: { _id: string }[] }).data.map(({ _id }) => _id)
  const remove = (id: string) =>
    mock.fetch(`${BASE}/materials/${id}`, { headers: HEADERS, method: 'DELETE' })
  await remove('m1')
  mock.snapshot('without-m1')
  await remove('m2')
  t.same(await ids(), [])
  mock.restore('without-m1')
  t.same(await ids(), ['m2'])
  mock.reset()
  t.same(await ids(), ['m1', 'm2'])
  t.throws(() => mock.restore('nothing'), { code: 'SNAPSHOT_NOT_FOUND' })
})

t.test('faults are added, listed and removed; a wrong one throws', async (t) => {
  const mock = await start(t)
  const fault: Fault = { status: 503, times: 1 }
  const { _id } = mock.faults.add(fault)
  fault.method = 'PUT'
  t.match(mock.faults.list(), [{ _id, status: 503, times: 1 }])
  t.equal((await list(mock)).status, 503)
  t.equal((await list(mock)).status, 200)
  const other = mock.faults.add({ status: 500 })
  mock.faults.remove(other._id)
  t.same(mock.faults.list(), [])
  t.throws(() => mock.faults.remove(other._id), { code: 'FAULT_NOT_FOUND' })
  t.throws(() => mock.faults.add({ status: 199 }), {
    code: 'BODY_INVALID',
    message: 'status must be an integer from 200 to 599, not 199',
  })
  t.throws(() => mock.faults.add({ stats: 500 } as never), {
    code: 'BODY_INVALID',
    message: /^"stats" is not known here, which has name, method, path, /,
  })
})

t.test('requests are queried like a list, the newest first', async (t) => {
  const mock = await start(t)
  await mock.fetch(`${BASE}/materials/m9`, { headers: HEADERS })
  await list(mock)
  t.match(await mock.requests(), [
    { path: `${BASE}/materials`, status: 200 },
    { path: `${BASE}/materials/m9`, status: 404 },
  ])
  t.match(await mock.requests({ status: { $gte: 400 } }), [{ status: 404, accountId: 'ann' }])
  t.equal((await mock.requests({}, { limit: 1 })).length, 1)
  await t.rejects(mock.requests({ status: { $gtx: 1 } }), { code: 'QUERY_INVALID' })
  t.same(await mock.requests({}, { limit: 1, fields: { method: 1, _id: 0 } }), [{ method: 'GET' }])
})

t.test('a query of requests that no request can meet is an error', async (t) => {
  const mock = await start(t)
  await list(mock, { headers: { ...HEADERS, 'X-Test': 'a' } })
  t.equal((await mock.requests({ 'headers.x-test': 'a' })).length, 1)
  await mock.expectRequests({ 'headers.x-auth-token': { $exists: true }, 'body.password': null })
  for (const query of [
    { method: { $not: { $in: ['POST', 'PUT'] } }, status: { $gt: 100, $mod: [2, 0] } },
    { method: { $regex: '^get$', $options: 'i' }, path: { $regex: 'materials' } },
    { method: { $exists: true }, $nor: [{ path: { $lt: '/' }, method: { $exists: true } }] },
    { path: { $gt: '/', $type: 'string' }, resource: { $ne: null }, route: { $exists: true } },
    {
      'headers.x-other': { $exists: false },
      headers: { $type: 'object', $gt: {} },
      aborted: false,
    },
    { $or: [{ 'headers.x-test': { $gte: 'a' } }, { fault: { $ne: null } }], ms: { $gte: 0 } },
    { query: null, projection: null, body: null, 'response.status': 200, at: { $gt: '2020' } },
  ])
    await mock.expectRequests(query)
  const cases: [query: JsonObject, message: string][] = [
    [
      { 'headers.X-Test': 'a' },
      'query.headers.X-Test must be headers.x-test: the names of headers are in lower case',
    ],
    [
      { $or: [{ method: 'PUT' }, { $nor: [{ 'response.headers.ETag': 'a' }] }] },
      'query.response.headers.ETag must be response.headers.etag: the names of headers are in lower case',
    ],
    [
      { 'header.x-test': 'a' },
      'query.header is not a field of a recorded request, which has method, path, route, resource, ' +
        'query, projection, headers, body, accountId, _id, at, url, status, ms, aborted, fault, upstream, response',
    ],
    [{ method: 'get' }, 'query.method must be a method in upper case, not "get"'],
    [{ method: { $in: ['GET', 'get'] } }, 'query.method must be a method in upper case, not "get"'],
    [{ status: { $ne: '404' } }, 'query.status must be an integer or null, not "404"'],
    [{ $or: [{ status: '200' }] }, 'query.status must be an integer or null, not "200"'],
    [{ _id: '1' }, 'query._id must be a number of twelve digits, as text, not "1"'],
    [
      { method: { $not: { $eq: 'get' } } },
      'query.method must be a method in upper case, not "get"',
    ],
    [{ $nor: [{ method: 'get' }] }, 'query.method must be a method in upper case, not "get"'],
    [{ method: { $all: ['get'] } }, 'query.method must be a method in upper case, not "get"'],
    [
      { method: { $regex: '^get$' } },
      'query.method must be a method in upper case, which never meets $regex "^get$"',
    ],
    [
      { method: { $not: { $regex: 'get' } } },
      'query.method must be a method in upper case, which never meets $regex "get"',
    ],
    [
      { method: { $type: 'int' } },
      'query.method must be a method in upper case, which never meets $type "int"',
    ],
    [
      { method: { $gt: 'get' } },
      'query.method must be a method in upper case, which never meets $gt "get"',
    ],
    [
      { method: { $in: [] } },
      'query.method must be a method in upper case, which never meets $in []',
    ],
    [
      { method: { $elemMatch: { $eq: 'GET' } } },
      'query.method must be a method in upper case, which never meets $elemMatch {"$eq":"GET"}',
    ],
    [{ method: { $exists: false } }, 'query matches no request'],
    [{ method: { $not: { $type: 'string' } } }, 'query matches no request'],
    [{ $nor: [{}] }, 'query matches no request'],
    [{ status: 200, $alwaysFalse: 1 }, 'query matches no request'],
    [{ path: { $lt: 5 } }, 'query.path must be a string, which never meets $lt 5'],
    [
      { status: { $regex: '^4' } },
      'query.status must be an integer or null, which never meets $regex "^4"',
    ],
    [
      { status: { $type: 'string' } },
      'query.status must be an integer or null, which never meets $type "string"',
    ],
    [{ aborted: { $gt: true } }, 'query.aborted must be true or false, which never meets $gt true'],
    [
      { 'headers.content-length': { $gt: 5 } },
      'query.headers.content-length must be a string or null, which never meets $gt 5',
    ],
    [
      { headers: { 'X-A': 'b' } },
      'query.headers.X-A must be headers.x-a: the names of headers are in lower case',
    ],
    [
      { headers: { $in: [{ a: 'b' }, { 'X-A': 'b' }] } },
      'query.headers.X-A must be headers.x-a: the names of headers are in lower case',
    ],
    [
      { 'headers.x-auth-token': 'ann-token' },
      'query.headers.x-auth-token has a value that is masked in all requests; ask whether it is there with $exists',
    ],
  ]
  for (const [query, message] of cases) {
    const error = { code: 'QUERY_INVALID', message }
    await t.rejects(mock.requests(query), error)
    await t.rejects(mock.expectRequests(query, { count: 0 }), error)
    for (const path of ['requests', 'requests/count', 'requests/verify']) {
      const response = await mock.fetch(`/__admin/${path}?query=${JSON.stringify(query)}`)
      t.match(await response.json(), { data: error }, path)
    }
  }
})

/** Returns an object as a framework watches it. */
const watched = <Value extends object>(value: Value): Value => new Proxy(value, {})

t.test(
  'a mock in process reads what is like JSON, and refuses options that are none',
  async (t) => {
    const mock = await start(t)
    t.match(mock.seed(watched({ materials: [watched({ formula: 'Si' })] })).materials, [
      { formula: 'Si' },
    ])
    t.match(mock.faults.add(watched({ status: 503 })), { status: 503 })
    t.same(await mock.requests(watched({ status: 503 })), [])
    for (const options of ['test/fixtures', null, 5, []])
      await t.rejects(startMock(options as BuildOptions), { code: 'OPTIONS_INVALID' })
    await t.rejects(buildApp('test/fixtures' as BuildOptions), {
      code: 'OPTIONS_INVALID',
      message:
        'give an object of options such as {"fixtures": "test/fixtures"}, not "test/fixtures"',
    })
  },
)

t.test('explain tells why an item is not in a list, as a tree', async (t) => {
  const mock = await start(t)
  const explanation = await mock.explain('materials', 'm1', { name: 'two' })
  t.match(explanation, { _id: 'm1', listed: false, matches: false, visible: true, limit: 50 })
  t.equal(String(explanation), 'm1 does not match\n└─ name $eq "two": no (name is "one")')
  const response = await mock.fetch('/__admin/explain/materials/m1?query={"name":"two"}')
  t.same({ ...explanation }, ((await response.json()) as { data: object }).data)
  const options = { accountId: 'ann', projection: { skip: 1 } }
  const cut = 'm1 matches, but is at place 1 of 2, before the page (skip 1, limit 50)'
  t.equal(String(await mock.explain('materials', 'm1', {}, options)), cut)
  t.match(await mock.explain('materials', 'm2', {}, options), { listed: true, place: 2, total: 2 })
  const failures: [resource: string, id: string, query: object, options: object, code: string][] = [
    ['nothing', 'm1', {}, {}, 'PARAMETER_INVALID'],
    ['materials', 'm9', {}, {}, 'ITEM_NOT_FOUND'],
    ['materials', 'm1', { $x: 1 }, {}, 'QUERY_INVALID'],
    ['materials', 'm1', { name: undefined }, {}, 'QUERY_INVALID'],
    ['materials', 'm1', {}, { accountId: 'eve' }, 'PARAMETER_INVALID'],
    ['materials', 'm1', {}, { projection: { limit: 0 } }, 'PROJECTION_INVALID'],
    ['materials', 'm1', { $expr: { $add: ['$name', 1] } }, {}, 'QUERY_INVALID'],
  ]
  for (const [resource, id, query, more, code] of failures)
    await t.rejects(mock.explain(resource, id, query as JsonObject, more), { code }, code)
})

t.test('expectRequests tells which requests are the closest ones, and why', async (t) => {
  const mock = await start(t)
  await list(mock)
  await mock.fetch(`${BASE}/materials/m9`, { headers: HEADERS })
  t.match(await mock.expectRequests({ method: 'GET' }), [{ status: 404 }, { status: 200 }])
  t.same(await mock.expectRequests({ method: 'PUT' }, { count: 0 }), [])
  const query = { status: 404, resource: 'materials', path: `${BASE}/materials` }
  const text = `0 requests match ${JSON.stringify(query).replaceAll(/[:,](?=["\d])/g, '$& ')}, expected: at least 1
000000000002 GET ${BASE}/materials/m9 404
└─ path $eq "${BASE}/materials": no (path is "${BASE}/materials/m9")
000000000001 GET ${BASE}/materials 200
└─ status $eq 404: no (status is 200)`
  await t.rejects(mock.expectRequests(query), { name: 'AssertionError', message: text })
  await t.rejects(mock.expectRequests({ method: 'GET' }, { count: { max: 1 } }), {
    message: `2 requests match {"method": "GET"}, expected: at most 1
000000000002 GET ${BASE}/materials/m9 404
000000000001 GET ${BASE}/materials 200`,
  })
  const verify = async (parameters: string): Promise<unknown> => {
    const response = await mock.fetch(`/__admin/requests/verify?${parameters}`)
    return ((await response.json()) as { data: unknown }).data
  }
  t.same(await verify('query={"status":200}&count=1'), {
    verified: true,
    count: 1,
    expected: { min: 1, max: 1 },
    closest: [],
    ids: ['000000000001'],
    text: '1 request matches {"status": 200}, expected: 1',
  })
  t.match(await verify(`query=${JSON.stringify(query)}&count={"min": 2, "max": 3}`), {
    verified: false,
    count: 0,
    expected: { min: 2, max: 3 },
    closest: [
      {
        request: { _id: '000000000002', status: 404, headers: { 'x-auth-token': '***' } },
        clauses: [{ path: 'path', operator: '$eq', operand: `${BASE}/materials`, matches: false }],
      },
      { request: { _id: '000000000001' }, clauses: [{ path: 'status', values: [200] }] },
    ],
    text: /, expected: 2 to 3$/m,
  })
  for (const count of ['-1', '1.5', 'many', '{}', '{"mini":1}', '[1]']) {
    t.match(await verify(`count=${count}`), {
      code: 'PARAMETER_INVALID',
      message: /^count must be/,
    })
  }
  await t.rejects(mock.expectRequests({}, { count: -1 }), { code: 'PARAMETER_INVALID' })
  await t.rejects(mock.expectRequests({ $x: 1 }), { code: 'QUERY_INVALID' })
  const silent = await start(t, { journal: 0 })
  await t.rejects(silent.expectRequests({}, { count: 0 }), { message: /The journal is off/ })
  const short = await start(t, { journal: 2 })
  for (let sent = 1; sent <= 3; sent += 1) await list(short)
  await t.rejects(short.expectRequests({ status: 200 }, { count: 3 }), {
    message:
      '2 requests match {"status": 200}, expected: 3\nThe journal has only the last 2 requests (--journal)',
  })
  short.reset()
  await list(short)
  await t.rejects(short.expectRequests({}, { count: 2 }), {
    message: '1 request matches {}, expected: 2',
  })
})

t.test('expectRequests tells what came instead in an order', async (t) => {
  const mock = await start(t)
  const send = (path: string, method = 'GET') =>
    mock.fetch(`${BASE}${path}`, { headers: HEADERS, method })
  await send('/materials/m1', 'DELETE')
  await send('/materials')
  await send('/materials/m2')
  await send('/materials')
  await send('/materials/m9')
  const [all, one, gone] = [
    { path: `${BASE}/materials` },
    { path: `${BASE}/materials/m2`, method: 'GET' },
    { method: 'DELETE' },
  ] as const
  const verify = async (order: readonly JsonObject[]): Promise<object> => {
    const url = `/__admin/requests/verify?order=${JSON.stringify(order)}`
    return ((await (await mock.fetch(url)).json()) as { data: object }).data
  }
  const inOrder = [gone, all, one, all]
  t.match(await mock.expectRequests(inOrder), [
    { _id: '000000000001' },
    { _id: '000000000002' },
    { _id: '000000000003' },
    { _id: '000000000004' },
  ])
  t.match(await verify(inOrder), {
    verified: true,
    count: 4,
    expected: { min: 4, max: 4 },
    ids: ['000000000001', '000000000002', '000000000003', '000000000004'],
    text: /^4 of 4 requests came in order\n1\. 000000000001 DELETE /,
  })
  const message = `2 of 3 requests came in order; none after 000000000003 matches {"method": "DELETE"}
1. 000000000002 GET ${BASE}/materials 200
2. 000000000003 GET ${BASE}/materials/m2 200
3. what came instead, the closest:
000000000004 GET ${BASE}/materials 200
└─ method $eq "DELETE": no (method is "GET")
000000000005 GET ${BASE}/materials/m9 404
└─ method $eq "DELETE": no (method is "GET")
000000000001 DELETE ${BASE}/materials/m1 200 matches, but came before`
  const wrong = [all, one, gone]
  await t.rejects(mock.expectRequests(wrong), {
    name: 'AssertionError',
    message,
    actual: 2,
    expected: 3,
  })
  t.match(await verify(wrong), {
    verified: false,
    count: 2,
    ids: ['000000000002', '000000000003'],
    closest: [{ request: { _id: '000000000004' } }, { request: { _id: '000000000005' } }],
    text: message,
  })
  await t.rejects(mock.expectRequests([{ path: `${BASE}/materials/m9` }, all]), {
    message:
      /^1 of 2 .*; none after 000000000005 matches .*\n.*\n2\. nothing came\n000000000004 .* matches, but came before$/,
  })
  await t.rejects(mock.expectRequests([{ status: 500 }]), {
    message:
      /^0 of 1 requests came in order; none matches \{"status": 500\}\n1\. what came instead/,
  })
  const { code } = new ParameterInvalid('')
  await t.rejects(mock.expectRequests([all], { count: 1 }), { code, message: /leave out query/ })
  await t.rejects(mock.expectRequests([]), { code, message: /at least one query/ })
  const query = { code: 'QUERY_INVALID' }
  await t.rejects(mock.expectRequests([all, { header: 1 }]), {
    ...query,
    message: /^order\[1\]\.h/,
  })
  await t.rejects(mock.expectRequests([{ a: { $x: 1 } }]), { ...query, message: /^order\[0\]\.a/ })
  await t.rejects(mock.expectRequests([{ method: /GET/ } as never]), {
    ...query,
    message: /^order\[0\]\.method /,
  })
  for (const order of ['', '{}', '[1]', '[{]', '[]']) {
    t.match(
      await (await mock.fetch(`/__admin/requests/verify?order=${order}`)).json(),
      { status: 'error', message: /^order/ },
      order,
    )
  }
})

t.test('an order is not verified by what the journal does not have', async (t) => {
  const text = 'x'.repeat(70_000)
  const mock = await start(t, {
    fixtures: { ...FIXTURES, notes: [{ _id: 'n', text }] },
    journal: 2,
    journalBody: 65_536,
  })
  await mock.fetch(`${BASE}/notes/n`, { headers: HEADERS })
  await t.rejects(mock.expectRequests([{ 'response.body.data.x': { $exists: false } }]), {
    message: lost(1),
  })
  await list(mock)
  await list(mock)
  await t.rejects(mock.expectRequests([{ path: `${BASE}/notes/n` }]), {
    message: /\nThe journal has only the last 2 requests \(--journal\)$/,
  })
  t.equal((await mock.expectRequests([{ status: 200 }, { status: 200 }])).length, 2)
  const off = await start(t, { journal: 0 })
  await t.rejects(off.expectRequests([{}]), { message: /The journal is off/ })
})

t.test('a journal that has lost requests verifies no maximum', async (t) => {
  const mock = await start(t, { journal: 2 })
  const verify = async (query: JsonObject, count: number | object | undefined): Promise<object> => {
    const { verified, text } = await verifyByControl(mock, query, count)
    const options = count === undefined ? {} : { count }
    const error = await mock.expectRequests(query, options).then(
      () => undefined,
      (each: Error) => each,
    )
    t.equal(verified, error === undefined, 'both say the same')
    if (error !== undefined) t.equal(error.message, text)
    return { verified, text }
  }
  const lost = /\nThe journal has only the last 2 requests \(--journal\)/
  await mock.fetch('/lost')
  await list(mock)
  t.match(await verify({ path: '/lost' }, 1), { verified: true })
  t.match(await verify({ path: '/other' }, 0), { verified: true })
  await list(mock)
  const query = { path: '/lost' }
  for (const count of [0, { max: 3 }, { min: 0, max: 0 }, 1, undefined])
    t.match(await verify(query, count), { verified: false, text: lost }, JSON.stringify(count))
  for (const count of [2, { max: 2 }, { min: 1, max: 9 }])
    t.match(await verify({ status: 200 }, count), { verified: false, text: lost })
  t.match(await verify({ status: 200 }, undefined), { verified: true }, 'at least one')
  t.match(await verify({ status: 200 }, { min: 2 }), { verified: true })
  t.match(await verify({ status: 200 }, 1), { verified: false })
  mock.reset()
  t.same(await verify(query, 0), {
    verified: true,
    text: '0 requests match {"path": "/lost"}, expected: 0',
  })
  await list(mock)
  mock.app.sandboxes.makeRoom()
  t.match(await verify({ method: 'GET' }, 0), { verified: false, text: /which it has memory/ })
  await mock.fetch('/__admin/requests', { method: 'DELETE' })
  t.match(await verify({ method: 'GET' }, 0), { verified: true })
  const off = await start(t, { journal: 0 })
  for (const count of [0, { max: 1 }, { min: 0 }, undefined])
    t.match(await verifyByControl(off, {}, count), { verified: false, text: /journal is off/ })
})

/** Verifies by the control. */
async function verifyByControl(
  mock: Mock,
  query: JsonObject,
  count: unknown,
): Promise<{ readonly verified: boolean; readonly text: string }> {
  const expected = count === undefined ? '' : `&count=${JSON.stringify(count)}`
  const url = `/__admin/requests/verify?query=${JSON.stringify(query)}${expected}`
  return ((await (await mock.fetch(url)).json()) as { data: never }).data
}

/** The message that a number of bodies is missing. */
const lost = (count: number): RegExp =>
  new RegExp(
    `\nThe journal lacks a part of the bodies that the query reads, for ${count} of the requests$`,
  )

t.test('what reads bodies is not verified by bodies that the journal does not have', async (t) => {
  const text = 'x'.repeat(70_000)
  const mock = await start(t, {
    fixtures: { ...FIXTURES, notes: [{ _id: 'n', text }] },
    journalBody: 65_536,
  })
  await mock.fetch(`${BASE}/notes/n`, { headers: HEADERS })
  const put = { name: text, late: true }
  await mock.fetch(`${BASE}/notes/n`, {
    method: 'PATCH',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(put),
  })
  await list(mock)
  const cases: [query: JsonObject, message: RegExp | undefined][] = [
    [{ 'body.late': true }, lost(1)],
    [{ 'response.body.data.text': { $exists: true } }, lost(2)],
    [{ $or: [{ 'response.body.data.text': { $exists: true } }, { status: 500 }] }, lost(2)],
    [{ method: 'GET', 'response.body.data.text': { $exists: true } }, lost(1)],
    [{ $expr: { $eq: ['$body.late', true] } }, lost(2)],
    [{ 'body.late': true, status: 404 }, undefined],
    [{ 'response.body.status': 'error', path: `${BASE}/materials` }, undefined],
    [{ 'response.size': 1 }, undefined],
  ]
  for (const [index, [query, message]] of cases.entries()) {
    const verified = mock.expectRequests(query, { count: 0 })
    if (message === undefined) t.same(await verified, [])
    else await t.rejects(verified, { message }, `case ${index}`)
  }
  // What a condition excludes may be in a body that is not there.
  for (const condition of [{ $ne: true }, { $not: { $eq: true } }, { $exists: false }]) {
    const verified = mock.expectRequests({ 'body.late': condition, method: 'PATCH' })
    await t.rejects(verified, { message: lost(1) }, JSON.stringify(condition))
  }
})

t.test('an option that is undefined is one that is not given', async (t) => {
  const mocks = await Promise.all([
    start(t, { port: undefined } as unknown as BuildOptions),
    start(t, { port: undefined } as unknown as BuildOptions),
  ])
  const ports = mocks.map(({ url }) => new URL(url).port)
  t.not(ports[0], ports[1])
  t.notOk(ports.includes('4000'), String(ports))
})

t.test('a query, a projection or a fault that is not JSON is refused', async (t) => {
  const mock = await start(t)
  await list(mock)
  const queries: [query: unknown, message: string][] = [
    [{ path: undefined }, 'query.path must be a JSON value, not undefined; leave it out'],
    [
      { path: /^\/api/gi },
      'query.path must be a JSON value, not /^\\/api/gi; as a condition of a query it is {"$regex":"^\\\\/api","$options":"i"}',
    ],
    [{ at: { $gt: new Date() } }, 'query.at.$gt must be a JSON value, not an instance of Date;'],
    [{ status: { $in: [NaN] } }, 'query.status.$in[0] must be a JSON value, not NaN'],
    [{ ms: { $gt: 5n } }, 'query.ms.$gt must be a JSON value, not 5n'],
    [{ status: new Set([1]) }, 'query.status must be a JSON value, not an instance of Set'],
    [() => true, 'query must be an object, not a function'],
    ['GET', 'query must be an object, not "GET"'],
  ]
  for (const [query, message] of queries) {
    const error: unknown = await mock.requests(query as JsonObject).catch((each: unknown) => each)
    t.match(error, { name: 'QueryInvalid', code: 'QUERY_INVALID' })
    t.equal((error as Error).message.slice(0, message.length), message)
  }
  await t.rejects(mock.requests({}, { limit: undefined } as never), {
    code: 'PROJECTION_INVALID',
    message: 'projection.limit must be a JSON value, not undefined; leave it out',
  })
  t.throws(() => mock.faults.add({ status: 500, path: undefined } as never), {
    code: 'BODY_INVALID',
    message: 'fault.path must be a JSON value, not undefined; leave it out',
  })
  t.same(mock.faults.list(), [])
  t.equal((await mock.requests(undefined, undefined)).length, 1)
  t.equal((await mock.requests({ path: { $regex: '^\\/api' } })).length, 1)
})

t.test('the errors of requests, faults and snapshots are those of the controls', async (t) => {
  const mock = await start(t)
  const requestError = async (path: string, init?: RequestInit) => {
    const { data } = (await (await mock.fetch(`/__admin${path}`, init)).json()) as Failure
    return data
  }
  const projections = [{ limit: 501 }, { lmit: 1 }, { limit: 0, skip: -1 }, { sort: 1 }]
  for (const projection of projections) {
    const text = encodeURIComponent(JSON.stringify(projection))
    const expected = await requestError(`/requests?projection=${text}`)
    t.equal(expected.code, 'PROJECTION_INVALID')
    await t.rejects(mock.requests({}, projection as never), expected, text)
  }
  for (const fault of [{ status: 199 }, { stats: 500 }, {}]) {
    const body = JSON.stringify(fault)
    const type = { 'Content-Type': 'application/json' }
    const expected = await requestError('/faults', { method: 'POST', body, headers: type })
    t.equal(expected.code, 'BODY_INVALID')
    t.throws(() => mock.faults.add(fault as never), expected)
  }
  for (const name of ['a b', 'a/b', 'x'.repeat(101)]) {
    const expected = await requestError(`/snapshots/${encodeURIComponent(name)}`, { method: 'PUT' })
    t.equal(expected.code, 'PARAMETER_INVALID')
    t.throws(() => mock.snapshot(name), expected)
  }
  for (const name of ['.', '..'])
    t.throws(() => mock.snapshot(name), { code: 'PARAMETER_INVALID', message: /and not "\." or/ })
})

t.test('two mocks share nothing', async (t) => {
  const [first, second] = [await start(t), await start(t)]
  t.not(first.url, second.url)
  first.faults.add({ status: 500 })
  t.equal((await list(first)).status, 500)
  t.equal((await list(second)).status, 200)
  t.equal((await second.requests()).length, 1)
})

t.test('seed completes partial items, and the same seed completes them equally', async (t) => {
  const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['t'] }]
  const fixtures = { accounts, materials: [], workflows: [], jobs: [], projects: [] }
  const mock = await startMock({ fixtures, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const formulas = ['Si', 'GaAs', 'TiO2', 'Al2O3', 'SrTiO3', 'C']
  const items: SeedItems = {
    jobs: [{ name: 'Relax' }, { status: 'finished' }, { _material: { _id: 'm0' } }],
    materials: [
      { _id: 'm0', lattice: { a: 5 } },
      ...formulas.map((formula) => ({ formula })),
      { unitCellFormula: 'Si3 O6', tags: ['mine'] },
      { name: 'A set', isEntitySet: true },
      { basis: { elements: [{ id: 0, value: 'Po' }], coordinates: [{ id: 0, value: [0, 0, 0] }] } },
    ],
    workflows: [{ name: 'Bands', properties: ['band_gaps'] }],
  }
  const { materials, jobs, workflows } = mock.seed(items)
  t.match(materials[0], { _id: 'm0', lattice: { a: 5 }, owner: { _id: 'ann', slug: 'ann' } })
  t.same(
    materials.slice(1, 7).map(({ formula }) => formula),
    formulas,
  )
  t.match(materials[1], { name: /^Si, Diamond/, basis: { elements: [{ value: 'Si' }, {}] } })
  t.match(materials[7], { formula: 'SiO2', unitCellFormula: 'Si3 O6', tags: ['mine'] })
  t.notOk('basis' in (materials[8] as object))
  t.match(materials[9], { formula: 'Po', lattice: { type: 'CUB', a: 2.466212 } }, '15 Å^3')
  t.match(workflows, [
    { name: 'Bands', subworkflows: [{ properties: ['band_gaps'] }], units: [{}] },
  ])
  t.match(jobs, [
    {
      name: 'Relax',
      status: 'pre-submission',
      workflow: { name: 'Bands' },
      _material: { _id: 'm0' },
    },
    {
      status: 'finished',
      statusTrack: [{}, {}, {}, { status: 'finished' }],
      workflow: { units: [{ status: 'finished', statusTrack: [{}, {}, {}] }] },
    },
    { _materials: [{ _id: 'm0', cls: 'Material' }] },
  ])
  const old = { status: 'error', createdAt: '1960-01-01T00:00:00.000Z' } as const
  t.match(mock.seed({ jobs: [old] }).jobs, [
    { ...old, statusTrack: [{ trackedAt: 0 }, {}, {}, {}] },
  ])
  t.same(mock.seed(items).materials, materials)
  t.not(mock.seed(items, { seed: 2 }).materials[1]?._id, materials[1]?._id)

  const headers = { 'X-Account-Id': 'ann', 'X-Auth-Token': 't', 'content-type': 'application/json' }
  const post = (seed: number, body: unknown) =>
    mock.fetch(`/__admin/seed?seed=${seed}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  for (const seed of [Date.now(), 1]) {
    const { materials: seeded } = mock.seed(items, { seed })
    t.equal((await post(seed, { materials: items.materials })).status, 200)
    const answer = await mock.fetch('/api/2018-10-01/materials', { headers })
    t.same(((await answer.json()) as { data: unknown }).data, seeded)
  }
  const init = { method: 'PUT', headers, body: JSON.stringify([{ formula: 'Si' }]) }
  const { status } = await mock.fetch('/__admin/fixtures/materials', init)
  t.equal(status, 400, 'without a seed, an _id is needed')
  const former = await mock.fetch('/__admin/fixtures/materials?complete=true', init)
  t.match(await former.json(), { message: /^"complete" is not a parameter of PUT / })
  t.match(await (await post(1, { materials: [{}, { formula: 'Xx' }] })).json(), {
    message:
      'seed.materials[1]: formula must be a formula such as "SiO2" of at most 500 atoms, not "Xx"',
  })
  t.equal(mock.app.store.getCollection('materials').size, 10, 'nothing is replaced')
})

t.test('what seed completes fits to what is given', async (t) => {
  const accounts = [
    { _id: 'ann', username: 'ann', password: 'x' },
    { _id: 'bob', username: 'bob', slug: 'bobs', password: 'x' },
  ]
  const fixtures = { accounts, materials: [], workflows: [], 'bank-materials': [] }
  const mock = await startMock({ fixtures, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const owners = [{ _id: 'bob' }, { slug: 'bobs' }, { _id: 'x' }, { cls: 'Team' }]
  const cells = [
    { alpha: 90 },
    { type: 'TET' as const, a: 3, b: 3, c: 5, alpha: 90, beta: 90, gamma: 90 },
  ]
  const seeded = mock.seed({
    materials: [
      ...owners.map((owner) => ({ owner })),
      { unitCellFormula: 'Si8' },
      { unitCellFormula: 'Mg' },
      ...cells.map((lattice) => ({ formula: 'Si', lattice })),
      { formula: 'Si', lattice: { type: 'FCC', a: 4 } },
    ],
    workflows: [{ subworkflows: [{ name: 'A' }, { name: 'B', _id: 'b' }] }],
    'bank-materials': [{ formula: 'Si' }],
  })
  const { materials, workflows } = seeded
  t.same(
    materials.slice(0, 4).map(({ owner }) => owner),
    [
      { _id: 'bob', slug: 'bobs', cls: 'Account' },
      { _id: 'bob', slug: 'bobs', cls: 'Account' },
      { _id: 'x', cls: 'Account' },
      { _id: 'ann', slug: 'ann', cls: 'Team' },
    ],
  )
  t.match(materials.slice(4), [
    { formula: 'Si', unitCellFormula: 'Si8', lattice: { type: 'CUB' } },
    { formula: 'Mg', unitCellFormula: 'Mg' },
    { name: 'Si', lattice: { type: 'TRI', alpha: 90, beta: 60 } },
    { name: 'Si', lattice: { type: 'TET' } },
    { name: /^Si, Diamond, FCC \(Fd-3m\)/, lattice: { a: 4, c: 4 } },
  ])
  const symmetries = materials.slice(6).map(({ derivedProperties = [] }) => {
    const symmetry = derivedProperties.find(({ name }) => name === 'symmetry')
    return (symmetry as { spaceGroupSymbol?: string } | undefined)?.spaceGroupSymbol
  })
  t.same(
    symmetries,
    ['Imma', 'C2/m', 'Fd-3m'],
    'of the structure, where its cell has another shape',
  )
  const [{ subworkflows, units } = {}] = workflows as unknown as Record<string, { _id: string }[]>[]
  t.same(
    units?.map(({ _id }) => _id),
    [subworkflows?.[0]?._id, 'b'],
  )
  t.match(seeded['bank-materials'], [{ owner: { slug: 'curators' } }])

  const [first] = materials as unknown as [{ _id: string; name: string; tags: string[] }]
  const { name } = first
  Object.assign(first, { name: 'mine' }).tags.push('mine')
  const { clauses } = await mock.explain('materials', first._id, { tags: 'mine' })
  const [tags] = clauses.flatMap(({ values = [] }) => values as string[][])
  t.same(tags, [])
  tags?.push('mine')
  const item = mock.app.store.getCollection('materials').entries[0]?.item
  t.same([item?.name, item?.tags], [name, []], 'what is returned is not what is stored')
})

t.test('seed varies the volume of cells by 5 % each way', async (t) => {
  const mock = await startMock({ fixtures: { materials: [] }, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const { materials } = mock.seed({
    materials: Array.from({ length: 200 }, () => ({ formula: 'Mg' })),
  })
  const volumes = materials.map(({ derivedProperties = [], basis }) => {
    const volume = derivedProperties.find(({ name }) => name === 'volume')
    return Number(volume?.value) / Number(basis?.elements?.length)
  })
  const [least, most] = [Math.min(...volumes), Math.max(...volumes)]
  const spread = (2 * (most - least)) / (most + least)
  t.ok(spread > 0.095 && spread < 0.1001, `they differ by ${spread}`)
  const sphere = (4 / 3) * Math.PI * 1.41 ** 3 // by the covalent radius of magnesium, in Å
  const multiple = (least + most) / 2 / sphere
  t.ok(Math.abs(multiple - 3) < 0.01, `an atom has the volume of ${multiple} covalent spheres`)
})

t.test('seed names the fields that contradict each other, and replaces nothing', async (t) => {
  const fixtures = { materials: [{ _id: 'm1' }], jobs: [], workflows: [] }
  const mock = await startMock({ fixtures, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const basis = {
    elements: [{ id: 0, value: 'Ge' }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
  }
  const cases: [items: SeedItems, message: string | RegExp][] = [
    [
      { materials: [{}, { formula: 'Si', basis }] },
      'seed.materials[1]: formula must be "Ge", as the structure has it, not "Si"',
    ],
    [{ materials: [{ formula: 'O2Si' }] }, /formula must be "SiO2", as the platform writes it, /],
    [{ materials: [{ formula: 'Si', unitCellFormula: 'Ge2' }] }, /formula must be "Ge", /],
    [{ materials: [{ formula: 'Si', hash: 'x' }] }, /hash must be ".*", as the structure has it/],
    [
      { materials: [{ derivedProperties: [{ name: 'volume', value: 1 }] }] },
      /the volume of derivedProperties must be \d/,
    ],
    [{ materials: [{ lattice: { type: 'TET' } }] }, /lattice\.type "TET" must come with a, b, c, /],
    [{ materials: [{ formula: 5 as never }] }, /formula must be a string, not 5/],
    [{ materials: [{ _id: 'x' }, { _id: 'x' }] }, /_id must be unique/],
    [
      { jobs: [{ status: 'active', statusTrack: [{ trackedAt: 1, status: 'finished' }] }] },
      'seed.jobs[0]: status must be "finished", the last status of statusTrack, not "active"',
    ],
    [
      { jobs: [{ status: 'error', outcome: { status: 'finished' } }] },
      'seed.jobs[0]: status must be "finished", as the outcome has it, not "error"',
    ],
    [
      { jobs: [{ status: 'done' as never }] },
      /^seed\.jobs\[0\]: status must be "pre-submission" or "queued" or .*, not "done"$/,
    ],
    [
      { materials: [{ isDefault: true }, {}, { isDefault: true }] },
      'seed.materials[2]: isDefault must be true of one item that an account sees, but seed.materials[0] has it too',
    ],
    [
      { materials: [{ isDefault: true, owner: { _id: 'nobody' } }, { isDefault: true }] },
      /^seed\.materials\[1\]: isDefault must be true of one item that an account sees/,
    ],
    [
      { jobs: [{ workflow: { _id: 'none' } }] },
      /workflow\._id must be the _id of an item of \/workflows/,
    ],
    [
      { workflows: [{ subworkflows: [], units: [{ type: 'subworkflow', _id: 'x' }] }] },
      /units\.0\._id must be the _id of a subworkflow, not "x"/,
    ],
    [
      { workflows: [{ subworkflows: [{ _id: 'x' }], properties: ['y'] }] },
      /properties must be properties of the subworkflows, which have none, not "y"/,
    ],
    [{ materials: [], nothing: [] }, /^seed\.nothing must be a resource that the mock was started/],
    [{ materials: {} as never }, /^seed\.materials must be an array of items, not \{\}/],
    [{ materials: [5 as never] }, 'seed.materials[0]: must be an object, not 5'],
    [
      { materials: [{ createdAt: 'now' }] },
      'seed.materials[0]: createdAt must be a time such as "2024-03-14T09:26:53.000Z", not "now"',
    ],
    [
      { jobs: [{ createdAt: '2025-01-01', updatedAt: '2024-01-01' }] },
      'seed.jobs[0]: updatedAt must not be before createdAt, "2025-01-01", as "2024-01-01" is',
    ],
    [
      { materials: [{ owner: { slug: 'eve' } }] },
      'seed.materials[0]: owner.slug must be the slug of an account (demo), or come with an _id, not "eve"',
    ],
    [
      { materials: [{ owner: { _id: 'demo', slug: 'eve' } }] },
      'seed.materials[0]: owner.slug must be "demo", the slug of "demo", not "eve"',
    ],
    [[] as never, 'seed must be an object such as {"materials": [{"formula": "Si"}]}, not []'],
  ]
  for (const [items, message] of cases)
    t.throws(() => mock.seed(items), { code: 'BODY_INVALID', message }, JSON.stringify(items))
  t.equal(mock.app.store.getCollection('materials').size, 1)
  const wrong: [call: () => unknown, message: string][] = [
    [() => mock.seed({}, { seed: 1.5 }), 'seed must be an integer, not 1.5'],
    // @ts-expect-error a misspelt option
    [() => mock.seed({}, { sede: 1 }), '"sede" is not an option of seed, which has seed'],
    [
      // @ts-expect-error no object
      async () => await mock.expectRequests({}, 2),
      'the options of expectRequests must be an object with count, not 2',
    ],
    [
      // @ts-expect-error no object
      async () => await mock.explain('materials', 'm1', {}, 'ann'),
      'the options of explain must be an object with accountId, projection, not "ann"',
    ],
  ]
  for (const [call, message] of wrong)
    await t.rejects(async () => await call(), { code: 'PARAMETER_INVALID', message })
  // @ts-expect-error a misspelt field
  t.equal(mock.seed({ materials: [{ fromula: 'Si' }] }).materials.length, 1)
  t.match(mock.seed({ jobs: [{ status: 'timeout' }] }).jobs, [{ status: 'timeout' }])
  const [molecule] = mock.seed({ materials: [{ formula: 'H2O', isNonPeriodic: true }] }).materials
  t.equal(molecule?.name, 'H2O', 'a molecule has the name of no crystal structure')
  const statusTrack = [{ status: 'constructor', trackedAt: 0 }]
  t.throws(() => mock.seed({ jobs: [{ statusTrack }] }), {
    message: /status must be "pre-submission" or .*, not "constructor"$/,
  })
})

t.test('the message for a usual mistake says what would be right', async (t) => {
  const mock = await start(t)
  const { explain, expectRequests, faults, requests, seed } = mock
  const cases: [call: () => unknown, message: string | RegExp][] = [
    [
      () => startMock('./fixtures' as never),
      'give an object of options such as {"fixtures": "test/fixtures"}, not "./fixtures"',
    ],
    [() => startMock(null as never), /^give an object of options .*, not null$/],
    [() => startMock({ fixture: '.' } as never), /; the closest one is fixtures$/],
    [() => faults.add(undefined as never), 'fault must be an object, not undefined'],
    [() => faults.add([] as never), 'fault must be an object, not []'],
    [() => faults.add({ staus: 500 } as never), /; the closest one is status$/],
    [() => faults.add({ patch: { $pul: {} } }), /; the closest ones are \$mul, \$pull$/],
    [
      () => faults.add({ patch: [{ op: 'remove', path: '/data/0' }] as never }),
      /^patch must be an object of fields by path, or of MongoDB's update operators such as /,
    ],
    [
      () => requests({ path: { $regxe: 'x' } }),
      'query.path.$regxe is not an operator of a field; the closest one is $regex',
    ],
    [() => requests({ n: { $between: [1, 2] } }), 'query.n.$between is not an operator of a field'],
    [() => requests({ $ro: [] }), 'query.$ro is not a top-level operator'],
    [() => requests({ $orr: [] }), /^query\.\$orr is not .*; the closest one is \$or$/],
    [() => requests({ $expr: { $adn: [] } }), /of expressions; the closest ones are \$add, \$and$/],
    [() => requests({}, 'all' as never), 'projection must be an object, not "all"'],
    [() => expectRequests(undefined as never), 'query must be an object, not undefined'],
    [() => expectRequests({}, { cuont: 1 } as never), /; the closest one is count$/],
    [
      () => expectRequests({}, { count: 1.5 }),
      'count must be an integer from 0, or a range such as {"min": 1, "max": 3}, not 1.5',
    ],
    [
      () => expectRequests({}, { count: { min: 3, max: 1 } }),
      'count.min must be at most count.max, 1, not 3',
    ],
    [() => explain('material', 'm1'), /, not "material"; the closest one is materials$/],
    [() => seed({ material: [] }), /; the closest one is materials$/],
  ]
  for (const [call, message] of cases) await t.rejects(async () => await call(), { message })
  await list(mock)
  for (const [query, count, expected] of [
    [{}, 2, { actual: 1, expected: 2 }],
    [{ status: 500 }, { min: 1 }, { actual: 0, expected: 'at least 1' }],
  ] as const)
    t.match(await expectRequests(query, { count }).catch((error: unknown) => error), expected)
})

t.test('a sandbox is a mock of its own, until it is closed', async (t) => {
  const mock = await start(t)
  const [ann, bob] = [mock.sandbox('ann'), mock.sandbox('bob')]
  t.equal(ann.url, `${mock.url}/sandboxes/ann`)
  t.equal(ann.app, mock.app)
  const remove = { headers: HEADERS, method: 'DELETE' }
  const get = (one: Mock) => one.fetch(`${BASE}/materials/m1`, { headers: HEADERS })
  await ann.fetch(`${ann.url}${BASE}/materials/m1`, remove)
  bob.faults.add({ status: 503 })
  const statuses = async () =>
    Promise.all([ann, bob, mock].map(async (each) => (await get(each)).status))
  t.same(await statuses(), [404, 503, 200])
  t.equal((await fetch(`${ann.url}${BASE}/materials/m1`, { headers: HEADERS })).status, 404)
  t.equal((await ann.requests()).length, 3)
  t.equal((await bob.requests({ status: 503 })).length, 1)
  t.match(await mock.requests(), [{ status: 200 }])
  ann.snapshot('without-m1')
  ann.reset()
  bob.faults.clear()
  t.same(await statuses(), [200, 200, 200])
  ann.restore('without-m1')
  t.same(await statuses(), [404, 200, 200])
  t.throws(() => bob.restore('without-m1'), { code: 'SNAPSHOT_NOT_FOUND' })

  t.same(mock.sandbox('ann').faults.list(), [])
  t.same(await statuses(), [200, 200, 200], 'both handles are of the new sandbox')
  t.throws(() => ann.restore('without-m1'), { code: 'SNAPSHOT_NOT_FOUND' })
  t.throws(() => mock.sandbox('..'), { code: 'PARAMETER_INVALID' })
  await ann.close()
  await ann.close()
  t.same(await statuses(), [404, 200, 200])
  t.throws(() => ann.reset(), { code: 'SANDBOX_NOT_FOUND' })
  await t.rejects(ann.requests(), { code: 'SANDBOX_NOT_FOUND' })
})
