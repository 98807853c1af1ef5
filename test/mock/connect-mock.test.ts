import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import t from 'tap'
import type { Test } from 'tap'

import { LISTS } from '@materials-mock/api'
import * as errors from '../../src/errors.js'
import { connectMock } from '../../src/mock/connect-mock.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { ConnectedMock, Mock } from '../../src/mock/members.js'
import type { BuildOptions } from '../../src/server/app.js'
import { BASE } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  jobs: [{ _id: 'j/1', status: 'pre-submission' }],
  materials: [
    { _id: 'm1', name: 'one' },
    { _id: 'm2', name: 'two' },
  ],
}
const HEADERS = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

async function start(t: Test, options: BuildOptions = {}): Promise<Mock> {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent', ...options })
  t.teardown(() => mock.close())
  return mock
}

/** The ways to the controls of a server. */
const WAYS: Readonly<Record<string, (server: Mock) => Promise<ConnectedMock>>> = {
  startMock: async (server) => server,
  'a sandbox of startMock': async (server) => server.sandbox('s1'),
  connectMock: async (server) => connectMock(`${server.url}/`),
  'a sandbox of connectMock': async (server) => (await connectMock(server.url)).sandbox('s1'),
  'connectMock to a sandbox': async (server) => connectMock(server.sandbox('s1').url),
}

const send = async (mock: ConnectedMock, path: string, init: RequestInit = {}) =>
  mock.fetch(`https://platform.example.org${BASE}${path}`, { headers: HEADERS, ...init })

const list = async (mock: ConnectedMock): Promise<readonly string[]> => {
  const { data } = (await (await send(mock, '/materials')).json()) as { data: { name: string }[] }
  return data.map(({ name }) => name)
}

const update = (name: string): RequestInit => ({
  method: 'PATCH',
  headers: { ...HEADERS, 'Content-Type': 'application/json' },
  body: JSON.stringify({ name }),
})

/** The URL of a mock as another container calls it. */
const named = (mock: Mock): string => mock.url.replace('127.0.0.1', 'materials-mock')

t.test('a mock in another container is called by its name', async (t) => {
  const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void
  replace(t, dns, 'lookup', (name: string, ...rest: unknown[]) =>
    lookup(name === 'materials-mock' ? '127.0.0.1' : name, ...rest),
  )
  const refusing = await start(t)
  await t.rejects(connectMock(named(refusing)), {
    message: /name of --allowed-hosts, not "materials-mock"/,
  })
  const mock = await connectMock(named(await start(t, { allowedHosts: 'materials-mock' })))
  await mock.faults.add({ status: 503 })
  t.equal((await send(mock, '/materials')).status, 503)
  t.match(await mock.sandbox('ann'), { url: `${mock.url}/sandboxes/ann` })
})

for (const [way, connect] of Object.entries(WAYS)) {
  for (const lists of LISTS) {
    t.test(`${way}, ${lists} lists: each member does the same`, async (t) => {
      const server = await start(t, { lists })
      const mock = await connect(server)
      t.equal(mock.url, /sandbox/.test(way) ? `${server.url}/sandboxes/s1` : server.url)

      await mock.snapshot('before')
      t.equal((await send(mock, '/materials/m1', update('Ångström'))).status, 200)
      t.same(await list(mock), ['Ångström', 'two'])
      t.same(await list(server), /sandbox/.test(way) ? ['one', 'two'] : ['Ångström', 'two'])
      await mock.restore('before')
      t.same(await list(mock), ['one', 'two'])
      await mock.reset()

      const rule = await mock.faults.add({ status: 503, times: 1 })
      t.match(await mock.faults.list(), [{ _id: rule._id, status: 503, matchCount: 0 }])
      t.equal((await send(mock, '/materials')).status, 503)
      const { _id } = await mock.faults.add({ drop: 'reset' })
      await t.rejects(send(mock, '/materials'), TypeError)
      t.equal(await mock.faults.remove(_id), undefined)
      await mock.faults.add({ status: 500 })
      await mock.faults.clear()
      t.same(await mock.faults.list(), [])

      const seeded = await mock.seed(
        { materials: [{ name: 'Silicon', formula: 'Si' }] },
        { seed: 7 },
      )
      t.match(seeded.materials, [{ name: 'Silicon', formula: 'Si', owner: { _id: 'ann' } }])
      t.same([seeded.materials.length, seeded.jobs], [1, []])
      t.same(await list(mock), ['Silicon'])
      await mock.reset()

      t.match(await mock.clock.freeze(), { frozen: true })
      t.match(await mock.clock.set(new Date('2030-01-01')), { now: '2030-01-01T00:00:00.000Z' })
      t.match(await mock.clock.advance(60_000), { now: '2030-01-01T00:01:00.000Z' })
      t.equal(await mock.clock.now, '2030-01-01T00:01:00.000Z')
      const back = new Date('2029-01-01')
      t.match(await mock.clock.rewind(back), { now: '2029-01-01T00:00:00.000Z', frozen: true })
      await t.rejects(mock.clock.rewind('2029-02-31'), { message: /rewind must be a time/ })
      await mock.clock.set('2030-01-01T00:00:00Z')
      t.equal(await mock.clock.frozen, true)
      t.ok((await mock.clock.offset) > 0)
      t.match(await mock.clock.reset(), { offset: 0, frozen: false })

      t.same(await mock.run('j/1'), { submittedAt: null, activeAt: null, endsAt: null, units: [] })
      await t.rejects(mock.run('j2'), { code: 'ITEM_NOT_FOUND' })
      await t.rejects(mock.run('..'), { code: 'ITEM_NOT_FOUND' })

      await list(mock)
      await send(mock, '/materials/m9')
      t.match(await mock.requests(), [{ status: 404 }, { status: 200, accountId: 'ann' }])
      t.same(await mock.requests({ status: 404 }, { limit: 1, fields: { method: 1, _id: 0 } }), [
        { method: 'GET' },
      ])
      t.match(await mock.expectRequests({ status: { $gt: 0 } }, { count: 2 }), [
        { status: 404 },
        { status: 200 },
      ])
      t.match(await mock.expectRequests([{ status: 200 }, { status: 404 }]), [
        { status: 200 },
        { status: 404 },
      ])
      t.match(await mock.footprint(), {
        requests: 2,
        uses: [{ path: '/materials' }, { path: '/materials/{id}', statuses: [404] }],
      })

      const explanation = await mock.explain('materials', 'm1', { name: 'two' })
      t.equal(String(explanation), 'm1 does not match\n└─ name $eq "two": no (name is "one")')
      t.notOk(Object.keys(explanation).includes('toString'))
      const options = { accountId: 'ann', projection: { skip: 1 } }
      t.match(await mock.explain('materials', 'm2', {}, options), { listed: true, place: 2 })
    })
  }

  t.test(`${way}: a seed replaces all or nothing`, async (t) => {
    const mock = await connect(await start(t))
    const wrong = { materials: [{ name: 'new' }], jobs: [{ name: 5 as never }] }
    await t.rejects(async () => mock.seed(wrong), {
      code: 'BODY_INVALID',
      message: 'seed.jobs[0]: name must be a string, not 5',
    })
    t.same(await list(mock), ['one', 'two'])
    const { materials, jobs } = await mock.seed({ ...wrong, jobs: [{ name: 'Relax' }] })
    t.match(jobs, [{ _material: { _id: materials[0]?._id } }])
    t.same(await list(mock), ['new'])
  })

  t.test(`${way}: close ends its own sandbox alone`, async (t) => {
    const server = await start(t)
    const mock = await connect(server)
    const other = await mock.sandbox('s2')
    t.equal(other.url, `${server.url}/sandboxes/s2`)
    await other.faults.add({ status: 500 })
    t.same(await mock.faults.list(), [])
    await other.close()
    await other.close()
    await t.rejects(async () => other.faults.list(), errors.SandboxNotFound)
    if (way === 'startMock') return
    await mock.close()
    t.equal((await send(server, '/materials')).status, 200)
    if (/sandbox/.test(way)) await t.rejects(async () => mock.reset(), errors.SandboxNotFound)
  })

  t.test(`${way}: its fetch can replace the global one`, async (t) => {
    const mock = await connect(await start(t))
    const restore = replace(t, globalThis, 'fetch', mock.fetch)
    const response = await fetch(`https://platform.example.org${BASE}/materials`)
    const requests = await mock.requests()
    restore()
    t.equal(response.status, 401)
    t.match(requests, [{ path: `${BASE}/materials`, status: 401 }])
  })

  t.test(`${way}: a redirect is returned, not followed`, async (t) => {
    const mock = await connect(await start(t))
    const headers = { Location: `${BASE}/materials/m1` }
    await mock.faults.add({ status: 302, headers, times: 1 })
    const response = await send(mock, '/materials')
    t.equal(response.status, 302)
    t.equal(response.headers.get('location'), headers.Location)
  })

  t.test(`${way}: a scenario is applied`, async (t) => {
    const mock = await connect(await start(t, { fixtures: 'fixtures' }))
    await mock.scenario('empty account')
    await t.rejects(async () => mock.scenario('empty acount'), {
      code: 'SCENARIO_NOT_FOUND',
      message: /there is no scenario with the name "empty acount"; .*"empty account"/,
    })
  })
}

/** What fails, each with the code. */
const FAILURES: readonly [code: string, (mock: ConnectedMock) => unknown][] = [
  ['SNAPSHOT_NOT_FOUND', (mock) => mock.restore('nothing')],
  ['SNAPSHOT_NOT_FOUND', (mock) => mock.restore('..')],
  ['PARAMETER_INVALID', (mock) => mock.snapshot('a b')],
  ['PARAMETER_INVALID', (mock) => mock.snapshot('')],
  ['PARAMETER_INVALID', (mock) => mock.snapshot('..')],
  ['PARAMETER_INVALID', (mock) => mock.sandbox('..')],
  ['FAULT_NOT_FOUND', (mock) => mock.faults.remove('99')],
  ['FAULT_NOT_FOUND', (mock) => mock.faults.remove('')],
  ['BODY_INVALID', (mock) => mock.faults.add({ status: 199 })],
  ['BODY_INVALID', (mock) => mock.faults.add({ stats: 500, delai: 3 } as never)],
  ['BODY_INVALID', (mock) => mock.faults.add({ status: 500, path: undefined } as never)],
  ['BODY_INVALID', (mock) => mock.faults.add({ status: 500, path: '/api/*/material' })],
  ['BODY_INVALID', (mock) => mock.seed({ material: [{}] })],
  ['BODY_INVALID', (mock) => mock.seed({ materials: [{}, { formula: 5 }] } as never)],
  ['BODY_INVALID', (mock) => mock.seed({ materials: [{ name: undefined }] } as never)],
  ['PARAMETER_INVALID', (mock) => mock.seed({ materials: [{}] }, { seed: 0.5 })],
  ['PARAMETER_INVALID', (mock) => mock.seed({ materials: [{}] }, { sed: 1 } as never)],
  ['BODY_INVALID', (mock) => mock.clock.advance(-1)],
  ['BODY_INVALID', (mock) => mock.clock.set('tomorrow')],
  ['QUERY_INVALID', (mock) => mock.requests({ $x: 1 })],
  ['QUERY_INVALID', (mock) => mock.requests({ path: undefined } as never)],
  ['PROJECTION_INVALID', (mock) => mock.requests({}, { limit: 501 })],
  ['PARAMETER_INVALID', (mock) => mock.explain('material', 'm1')],
  ['ITEM_NOT_FOUND', (mock) => mock.explain('materials', 'm9')],
  ['ITEM_NOT_FOUND', (mock) => mock.explain('materials', '')],
  ['ITEM_NOT_FOUND', (mock) => mock.explain('materials', 'm1\ud800')],
  ['PARAMETER_INVALID', (mock) => mock.explain('materials', 'm1', {}, { accountId: 'eve' })],
  ['ERR_ASSERTION', (mock) => mock.expectRequests({ status: 404 })],
  ['ERR_ASSERTION', (mock) => mock.expectRequests({}, { count: { min: 3, max: 4 } })],
  ['ERR_ASSERTION', (mock) => mock.expectRequests([{ method: 'GET' }, { method: 'PUT' }])],
  ['PARAMETER_INVALID', (mock) => mock.expectRequests({}, { count: -1 })],
  ['PARAMETER_INVALID', (mock) => mock.expectRequests([{}], { count: 1 })],
  ['PARAMETER_INVALID', (mock) => mock.expectRequests([])],
  ['QUERY_INVALID', (mock) => mock.expectRequests([{}, { header: 1 }])],
]

t.test('a resource that came later is explained', async (t) => {
  const scenarios = { later: { items: { projects: [{ _id: 'p1', name: 'new' }] } } }
  for (const connect of Object.values(WAYS)) {
    const mock = await connect(await start(t, { fixtures: { ...FIXTURES, scenarios } }))
    await t.rejects(async () => mock.explain('projects', 'p1'), errors.ParameterInvalid)
    await mock.scenario('later')
    t.match(await mock.explain('projects', 'p1'), { listed: true })
  }
})

t.test('a failure is the same error on each way', async (t) => {
  const failures = async (connect: (server: Mock) => Promise<ConnectedMock>): Promise<object[]> => {
    const mock = await connect(await start(t))
    await list(mock)
    return Promise.all(
      FAILURES.map(async ([code, fail]) => {
        const error = await (async () => fail(mock))().catch((each: unknown) => each)
        const { name, message, actual, expected, details } = error as never
        const { stack = '' } = error as Error
        t.ok(stack.includes(message), `the stack has the message ${String(message)}`)
        const Kind = (errors as Readonly<Record<string, unknown>>)[name] ?? Error
        t.ok(error instanceof (Kind as typeof Error))
        t.equal((error as { code?: string }).code, code, String(message))
        return { name, message, actual, expected, details }
      }),
    )
  }
  const expected = await failures(async (server) => server)
  for (const [way, connect] of Object.entries(WAYS)) t.same(await failures(connect), expected, way)
})

const ids = (requests: readonly { readonly _id: unknown }[]) => requests.map(({ _id }) => _id)

t.test('all requests are listed, however many they are', async (t) => {
  const server = await start(t, { journal: 1100, queryBudget: 600_000 })
  const mock = await connectMock(server.url)
  for (let sent = 0; sent < 1003; sent += 1) await server.fetch(`${BASE}/materials/m${sent}`)
  t.same(ids(await mock.requests()), ids(await server.requests()))
  const sorted = { sort: { url: 1 }, skip: 2 } as const
  t.same(ids(await mock.requests({}, sorted)), ids(await server.requests({}, sorted)))
  t.same(ids(await mock.expectRequests({})), ids(await server.expectRequests({})))
})

t.test('a server without controls, or that is no mock, is an error with its URL', async (t) => {
  const listen = async (status: number, body: string, isWhole = true): Promise<string> => {
    const server = createServer((_request, response) => {
      response.writeHead(status).write(body)
      if (isWhole) response.end()
    })
    t.teardown(() => server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const unusable = async (url: string, message: RegExp) => {
    const error = await connectMock(url).catch((each: unknown) => each)
    t.match(error, { name: 'DeploymentUnusable', code: 'DEPLOYMENT_UNUSABLE', message })
    t.ok((error as Error).message.includes(url), (error as Error).message)
  }
  await unusable(await listen(200, '<html></html>'), /is not a mock: GET .* answered 200$/)
  await unusable(await listen(404, '{"data":{"message":"x","code":"X"}}'), /answered 404$/)
  await unusable(await listen(200, '{"status":"success","data":{}}'), /is not the URL of a mock$/)
  const { timeout } = AbortSignal
  const restore = replace(t, AbortSignal, 'timeout', () => timeout.call(AbortSignal, 50))
  await unusable(await listen(200, '', false), /^there is no mock at .* did not answer in time$/)
  await unusable(await listen(200, '{', false), /^there is no mock at .* did not answer in time$/)
  restore()
  const { url } = await start(t, { admin: false })
  await unusable(url, /has no controls .*--no-admin/)
  const gone = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  const mock = await connectMock(gone.url)
  await gone.close()
  await unusable(gone.url, /^there is no mock at .*: nothing listens there \(ECONNREFUSED\)$/)
  await t.rejects(async () => mock.reset(), errors.DeploymentUnusable)
  const running = await start(t)
  await t.rejects(connectMock(`${running.url}/sandboxes/s9`), errors.SandboxNotFound)
  const wrong = { code: 'PARAMETER_INVALID', message: /^the URL of a mock/ }
  const api = `${running.url}/api/2018-10-01`
  for (const other of [
    '127.0.0.1:4000',
    'ftp://x.example',
    `${running.url}?a=1`,
    api,
    '',
    5 as never,
  ])
    await t.rejects(connectMock(other), wrong)
})
