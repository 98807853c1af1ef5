import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import type { JsonObject } from '@materials-mock/json'
import type { BuildOptions } from '../../src/server/app.js'
import { BASE, build, logIn } from '../helpers/build.js'

const accounts = [
  { _id: 'ann', username: 'ann', password: 'x' },
  { _id: 'bob', username: 'bob', password: 'y' },
]
const materials = [
  { _id: 'm1', name: 'one', formula: 'Si' },
  { _id: 'm2', name: 'two', formula: 'Ge' },
  { _id: 'm3', name: 'three', formula: 'Si', owner: { _id: 'bob' } },
]

/** Starts a server, and calls its tools, or those of one of its sandboxes. */
async function connect(
  t: Test,
  fixtures: BuildOptions['fixtures'] = { accounts, materials },
  sandbox = '',
) {
  const app = await build(t, { fixtures })
  if (sandbox !== '') await app.inject({ method: 'PUT', url: `/__admin${sandbox}` })
  const callText = async (name: string, input: object = {}) => {
    const { result } = await post(
      app,
      request('tools/call', { name, arguments: input }),
      {},
      sandbox,
    )
    const { content, isError } = result as { content: [{ text: string }]; isError?: boolean }
    return { text: content[0].text, isError }
  }
  const call = async (name: string, input: object = {}): Promise<JsonObject> =>
    JSON.parse((await callText(name, input)).text)
  return { app, call, callText }
}

const post = async (
  app: FastifyInstance,
  payload: string | object,
  headers: object = {},
  sandbox = '',
) => {
  const response = await app.inject({
    method: 'POST',
    url: `${sandbox}/__admin/mcp`,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })
  return { status: response.statusCode, body: response.body, ...JSON.parse(response.body || '{}') }
}

const request = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params,
})

t.test('items are listed as an account sees them', async (t) => {
  const { call } = await connect(t)
  const list = async (input: object) => {
    const { matched, items } = await call('list_items', { resource: 'materials', ...input })
    return [matched, (items as JsonObject[]).map(({ _id }) => _id)]
  }
  t.same(await list({}), [2, ['m1', 'm2']], 'the first account sees no item of another')
  t.same(await list({ account: 'bob' }), [3, ['m1', 'm2', 'm3']])
  t.same(await list({ query: { formula: 'Si' }, account: 'bob' }), [2, ['m1', 'm3']])
  t.same(await list({ sort: { name: -1 }, limit: 1 }), [2, ['m2']])
  const { items } = await call('list_items', {
    resource: 'materials',
    fields: { name: 1 },
    limit: 1,
  })
  t.same(items, [{ _id: 'm1', name: 'one' }])
})

t.test('an item is explained', async (t) => {
  const { call } = await connect(t)
  const input = { resource: 'materials', id: 'm2', query: { formula: 'Si' } }
  t.match(await call('explain_item', input), {
    listed: false,
    matches: false,
    lines: [/.*/, /formula.*Si.*Ge/],
  })
  t.match(await call('explain_item', { ...input, id: 'm3', account: 'ann' }), { visible: false })
})

t.test('requests, faults, the clock and the reset are those of the controls', async (t) => {
  const { app, call } = await connect(t)
  const headers = await logIn(app, 'ann', 'x')
  const rule = await call('add_fault', { path: '/api/*/materials', status: 503, times: 1 })
  t.same(rule, { _id: '1' })
  t.equal((await app.inject({ url: `${BASE}/materials`, headers })).statusCode, 503)
  const { requests, complete } = await call('list_requests', { query: { status: 503 } })
  t.match(requests, [{ method: 'GET', status: 503 }])
  t.equal(complete, true)
  const { now } = await call('advance_clock', { ms: 86_400_000 })
  t.ok(Date.parse(String(now)) > Date.now() + 80_000_000)
  t.same(await call('reset'), {})
  t.same((await call('list_requests')).requests, [])
  t.equal((await app.inject({ url: `${BASE}/materials`, headers })).statusCode, 401)
})

t.test('each sandbox has its own tools', async (t) => {
  const { app, call } = await connect(t, { accounts, materials }, '/sandboxes/ann')
  await call('add_fault', { status: 500 })
  t.equal(app.controls.faults.list().length, 0)
})

t.test('a result has at most 20 kB, and says what is cut', async (t) => {
  const name = 'x'.repeat(3000)
  const many = Array.from({ length: 20 }, (_, index) => ({ _id: `n${index}`, name }))
  const large = [{ _id: 'l', text: 'y'.repeat(30_000) }]
  const { app, callText } = await connect(t, { accounts, notes: many, large })
  const cases: [name: string, input: object, cut: RegExp][] = [
    ['list_items', { resource: 'notes' }, /^14 of 20 items are left out/],
    ['list_items', { resource: 'large' }, /^1 of 1 items are left out/],
    ['list_requests', { limit: 500 }, /^\d+ of 200 requests are left out/],
    [
      'explain_item',
      {
        resource: 'notes',
        id: 'n1',
        query: { $or: Array.from({ length: 90 }, (_, x) => ({ [name.slice(0, 300) + x]: x })) },
      },
      /^\d+ of \d+ lines are left out/,
    ],
  ]
  for (let count = 0; count < 200; count += 1)
    await app.inject({ method: 'POST', url: `${BASE}/notes`, payload: { name } })
  for (const [tool, input, cut] of cases) {
    const { text } = await callText(tool, input)
    t.ok(Buffer.byteLength(text) <= 20_000, `${tool}: ${Buffer.byteLength(text)} bytes`)
    t.match(JSON.parse(text).cut, cut, tool)
  }
})

t.test('what is wrong with arguments is a result that names it', async (t) => {
  const { callText } = await connect(t)
  const cases: [name: string, input: object, message: RegExp][] = [
    ['list_items', {}, /^BODY_INVALID: resource is missing|^BODY_INVALID: .*resource/],
    [
      'list_items',
      { resource: 'matirials' },
      /^PARAMETER_INVALID: resource must be one of .*materials/,
    ],
    [
      'list_items',
      { resource: 'materials', account: 'bo' },
      /^PARAMETER_INVALID: account must be .*bob/,
    ],
    ['list_items', { resource: 'materials', query: { a: { $x: 1 } } }, /^QUERY_INVALID: .*\$x/],
    ['list_items', { resource: 'materials', limit: 501 }, /limit must be an integer from 1 to 500/],
    ['list_items', { resource: 'materials', quary: {} }, /quary/],
    ['explain_item', { resource: 'materials', id: 'm9', query: {} }, /^ITEM_NOT_FOUND: /],
    ['add_fault', { path: '/api/*/matirials', status: 500 }, /^BODY_INVALID: path must match/],
    ['advance_clock', { ms: -1 }, /^BODY_INVALID: ms must be/],
    ['advance_clock', { ms: 1e15 }, /^BODY_INVALID: ms must be/],
    ['reset', { all: true }, /^BODY_INVALID: "all" is not known here, which has none$/],
  ]
  for (const [name, input, message] of cases) {
    const { text, isError } = await callText(name, input)
    t.match(text, message, `${name} ${JSON.stringify(input)}`)
    t.equal(isError, true)
  }
})

t.test('junk is answered with an error of JSON-RPC', async (t) => {
  const app = await build(t, { fixtures: { accounts, materials } })
  const cases: [payload: string | object, status: number, code: number, id: number | null][] = [
    ['{', 400, -32700, null],
    ['', 400, -32700, null],
    ['{"a": 1, "a": 2}', 400, -32700, null],
    ['[]', 400, -32600, null],
    [[request('ping')], 400, -32600, null],
    ['1', 400, -32600, null],
    [{ id: 1, method: 'ping' }, 400, -32600, null],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600, null],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32600, null],
    [{ jsonrpc: '2.0', id: 1 }, 400, -32600, null],
    [request('tools/call', []), 400, -32600, null],
    [request('resources/list'), 200, -32601, 7],
    [request('__proto__'), 200, -32601, 7],
    [request('tools/call'), 200, -32602, 7],
    [request('tools/call', { name: 'drop_all' }), 200, -32602, 7],
    [request('tools/call', { name: 'reset', arguments: 'x' }), 200, -32602, 7],
  ]
  for (const [payload, status, code, id] of cases) {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const answer = await post(app, payload)
    t.match(answer, { status, jsonrpc: '2.0', id, error: { code, message: String } }, text)
  }
  t.match(await post(app, request('ping'), { 'mcp-protocol-version': '1999-01-01' }), {
    error: { code: -32600, message: /2025-11-25.*"1999-01-01"/ },
  })
  t.match(await post(app, 'a=1', { 'content-type': 'text/plain' }), {
    status: 415,
    error: { code: -32600 },
  })
})

t.test('a notification is accepted, and other methods of HTTP are not', async (t) => {
  const app = await build(t, { fixtures: { materials } })
  const sent = await post(app, { jsonrpc: '2.0', method: 'notifications/initialized' })
  t.match(sent, { status: 202, body: '' })
  for (const method of ['GET', 'DELETE'] as const)
    t.equal((await app.inject({ method, url: '/__admin/mcp' })).statusCode, 405, method)
})
