import { readFileSync } from 'node:fs'

import t from 'tap'
import type { Test } from 'tap'

import { readTestRun } from '../../../src/controls/mutation/mutation.js'
import type { Mutation } from '../../../src/controls/mutation/mutation.js'
import { startMock } from '../../../src/mock/start-mock.js'
import { buildApp } from '../../../src/server/app.js'
import type { BuildOptions } from '../../../src/server/app.js'
import { BASE, listUrl, logIn } from '../../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  projects: [
    { _id: 'p1', name: 'b', n: 1, inner: [{ x: [1, 2] }, { x: [3, 4] }] },
    { _id: 'p2', name: 'a', n: 2 },
  ],
}
const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const LIST = { method: 'GET', path: '/projects' }

async function start(t: Test, mutation: Mutation, options: BuildOptions = {}) {
  const app = await buildApp({ logLevel: 'silent', fixtures: FIXTURES, ...options }, { mutation })
  t.teardown(() => app.close())
  return {
    app,
    send: (url: string, method: 'GET' | 'DELETE' | 'PATCH' = 'GET', payload?: object) =>
      app.inject({ method, url: BASE + url, headers, ...(payload && { payload }) }),
  }
}

t.test('a mutation changes the answers of its route', async (t) => {
  const [p1, p2] = FIXTURES.projects
  const cases: [change: Omit<Mutation, 'method' | 'path'>, data: unknown][] = [
    [{ change: 'empty' }, []],
    [{ change: 'lose-item' }, [p2]],
    [{ change: 'repeat-item' }, [p1, p1, p2]],
    [{ change: 'missing', field: 'inner.x' }, [{ ...p1, inner: [{}, {}] }, p2]],
    [
      { change: 'null', field: 'name' },
      [
        { ...p1, name: null },
        { ...p2, name: null },
      ],
    ],
    [
      { change: 'type', field: 'name' },
      [
        { ...p1, name: 1 },
        { ...p2, name: 1 },
      ],
    ],
    [
      { change: 'type', field: 'n' },
      [
        { ...p1, n: '1' },
        { ...p2, n: '2' },
      ],
    ],
    [{ change: 'type', field: 'inner' }, [{ ...p1, inner: JSON.stringify(p1?.inner) }, p2]],
    [
      { change: 'unit', field: 'n', factor: 10 },
      [
        { ...p1, n: 10 },
        { ...p2, n: 20 },
      ],
    ],
    [
      { change: 'unit', field: 'inner.x', factor: 10 },
      [{ ...p1, inner: [{ x: [10, 20] }, { x: [30, 40] }] }, p2],
    ],
  ]
  for (const [change, data] of cases) {
    const { send } = await start(t, { ...LIST, ...change })
    const response = await send('/projects')
    t.same(response.json(), { status: 'success', data }, JSON.stringify(change))
    t.same((await send('/projects/p1')).json().data, p1, 'other routes are as they are')
    t.equal((await send('/projects?query={')).statusCode, 400, 'so are failures')
  }
})

t.test('a route fails', async (t) => {
  const failing = await start(t, { ...LIST, change: 'status-500' })
  t.equal((await failing.send('/projects')).statusCode, 500)
  t.same(failing.app.controls.faults.list(), [])
  failing.app.controls.reset()
  t.equal((await failing.send('/projects')).statusCode, 500, 'also after a reset')
  failing.app.sandboxes.make('s')
  const inSandbox = await failing.app.inject({ url: `/sandboxes/s${BASE}/projects`, headers })
  t.equal(inSandbox.statusCode, 500)
  failing.app.controls.faults.add({ status: 503 })
  t.equal(
    (await failing.send('/projects')).statusCode,
    503,
    'a fault of the tests stands before it',
  )
  const { send } = await start(t, { ...LIST, change: 'status-401' })
  t.equal((await send('/projects')).statusCode, 401)
  t.equal((await send('/projects/p1')).statusCode, 200)
  const reset = await start(t, { ...LIST, change: 'reset' })
  await t.rejects(reset.send('/projects'))
})

t.test('a list ignores a part of its parameters', async (t) => {
  const url = listUrl('projects', { n: { $gt: 1 } }, { sort: { n: -1 }, limit: 1 })
  const cases: [change: Mutation['change'], url: string, ids: string[]][] = [
    ['ignore-query', url, ['p2']],
    ['ignore-query', listUrl('projects', { n: { $gt: 1 } }), ['p1', 'p2']],
    ['ignore-query', '/projects?name=a', ['p1', 'p2']],
    ['ignore-sort', listUrl('projects', undefined, { sort: { n: -1 } }), ['p1', 'p2']],
    ['ignore-limit', '/projects?limit=1', ['p1', 'p2']],
  ]
  for (const [change, path, ids] of cases) {
    for (const admin of [true, false]) {
      const log = `${t.testdir({})}/log`
      const { send } = await start(t, { ...LIST, change, log }, { admin })
      const { data } = (await send(path)).json()
      t.same(
        data.map(({ _id }: { _id: string }) => _id),
        ids,
        `${change} ${path}`,
      )
      const isChanged = path !== url
      t.equal(readLog(log).length, isChanged ? 1 : 0, 'what changes nothing is not logged')
    }
  }
})

t.test('the first change is logged, and leaves no other trace', async (t) => {
  const log = `${t.testdir({})}/log`
  const { app, send } = await start(t, { ...LIST, change: 'ignore-sort', log })
  const url = listUrl('projects', undefined, { sort: { n: -1 }, fields: { _id: 1 } })
  await send('/projects?query=%7B%7D')
  await send(url)
  await send(url)
  const { journal, footprint } = app.controls
  t.equal(journal.count, 3)
  t.equal(footprint.toJSON().requests, 3)
  t.same(readLog(log), [
    {
      url: BASE + url,
      before: '{"status":"success","data":[{"_id":"p2"},{"_id":"p1"}]}',
      after: '{"status":"success","data":[{"_id":"p1"},{"_id":"p2"}]}',
    },
  ])
  const failing = await start(t, { ...LIST, change: 'status-500' })
  await failing.send('/projects')
  const { data } = (await failing.app.inject('/__admin/requests')).json()
  t.match(data, [{ status: 500, fault: null }])
})

t.test('a write is answered, but not kept', async (t) => {
  const log = `${t.testdir({})}/log`
  const path = '/projects/{id}'
  const removing = await start(t, { method: 'DELETE', path, change: 'not-kept', log })
  t.equal((await removing.send('/projects/none', 'DELETE')).statusCode, 404)
  t.same(readLog(log), [], 'a failure is as it is')
  t.equal((await removing.send('/projects/p1', 'DELETE')).statusCode, 200)
  t.equal((await removing.send('/projects/p1')).statusCode, 200)
  t.match(readLog(log), [{ before: 'kept', after: 'not kept' }])
  const { send, app } = await start(t, { method: 'PATCH', path, change: 'not-kept' })
  app.sandboxes.main.store.clock.set(Date.parse('2040-01-01'), false)
  const { data } = (await send('/projects/p1', 'PATCH', { name: 'c' })).json()
  t.match(data.updatedAt, /^2040-/, 'the clock is that of the sandbox')
  t.match((await send('/projects/p1', 'PATCH', { name: 'c' })).json().data, { name: 'c' })
  t.match((await send('/projects/p1')).json().data, { name: 'b' })
  t.equal((await send('/projects/p1', 'DELETE')).statusCode, 200)
  t.equal((await send('/projects/p1')).statusCode, 404, 'other writes are kept')
  const session = await logIn(app, 'ann', 'x')
  await app.inject({ method: 'PATCH', url: `${BASE}/projects/p2`, headers, payload: { name: 'c' } })
  const list = await app.inject({ url: `${BASE}/projects`, headers: session })
  t.match(list.json(), { data: [{ _id: 'p2', name: 'a' }] }, 'sessions stay')
})

t.test('a login is changed in its own fields', async (t) => {
  const mutation: Mutation = {
    method: 'POST',
    path: '/login',
    change: 'missing',
    field: 'X-Auth-Token',
  }
  const { app } = await start(t, mutation)
  t.same(await logIn(app, 'ann', 'x'), { 'X-Account-Id': 'ann' })
})

t.test('a mutation that is malformed is an error', async (t) => {
  const cases: [text: string, message: RegExp][] = [
    ['{', /^MATERIALS_MOCK_MUTATION must be a mutation such as \{"method".*, not "\{": /],
    ['[]', /not "\[\]": /],
    [
      '{"method":"GET","path":"/materials","change":"explode"}',
      /change must be one of status-500, /,
    ],
    ['{"method":"GET","change":"empty"}', /path is missing/],
    ['{"method":"GET","path":"/materials","change":"empty","x":1}', /x is unknown|"x"/],
  ]
  for (const [text, message] of cases) {
    t.throws(
      () => readTestRun({ MATERIALS_MOCK_MUTATION: text }),
      { code: 'OPTIONS_INVALID', message },
      text,
    )
  }
  const shortest: Mutation = { method: 'X', path: '/', change: 'null', field: 'n', log: 'l' }
  for (const key of ['method', 'path', 'field', 'log']) {
    const text = JSON.stringify({ ...shortest, [key]: '' })
    t.throws(() => readTestRun({ MATERIALS_MOCK_MUTATION: text }), { code: 'OPTIONS_INVALID' }, key)
  }
  t.same(readTestRun({ MATERIALS_MOCK_MUTATION: JSON.stringify(shortest) }), { mutation: shortest })
  process.env.MATERIALS_MOCK_MUTATION = '{'
  t.teardown(() => delete process.env.MATERIALS_MOCK_MUTATION)
  await t.rejects(startMock({ fixtures: FIXTURES }), { code: 'OPTIONS_INVALID' })
  process.env.MATERIALS_MOCK_MUTATION = JSON.stringify({ ...LIST, change: 'empty' })
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  t.match(await (await mock.fetch(`${BASE}/projects`, { headers })).json(), { data: [] })
  t.same(readTestRun({}), { footprintFolder: undefined })
})

/** Returns the changes that a mutation has logged. */
function readLog(file: string): unknown[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}
