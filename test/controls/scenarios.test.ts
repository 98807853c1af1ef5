import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { startMock } from '../../src/mock/start-mock.js'
import { build, send, waitFor } from '../helpers/build.js'

const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]
const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const materials = [{ _id: 'm1' }]

const scenarios = {
  'no materials': { items: { materials: [] } },
  all: {
    items: { materials: [{ _id: 'm2', name: 'Silicon', isDefault: true }] },
    seed: { jobs: [{ name: 'Relax', status: 'submitted' }, { status: 'finished' }] },
    faults: [{ path: '/api/*/materials', status: 503, times: 1 }],
    clock: { set: '2026-01-01T00:00:00Z', advance: 60_000, freeze: true },
  },
  nothing: {},
}
const fixtures = { accounts, materials, jobs: [], scenarios }

t.test(
  'a scenario resets a sandbox, and replaces items, adds faults and sets the clock',
  async (t) => {
    const app = await build(t, { fixtures, jobDuration: 40_000 })
    const post = (url: string) => app.inject({ method: 'POST', url })
    const list = async (path: string) => (await send(app, path, { headers })).json()
    t.same((await app.inject('/__admin/scenarios')).json().data, ['no materials', 'all', 'nothing'])
    t.equal((await send(app, '/scenarios', { headers })).statusCode, 404, 'it is no resource')
    await post('/__admin/scenarios/no%20materials')
    t.same((await list('/materials')).data, [])
    await post('/__admin/scenarios/all')
    t.equal((await list('/materials')).data.code, 'FAULT_INJECTED')
    t.match((await list('/materials')).data, [{ _id: 'm2', name: 'Silicon' }])
    t.match((await list('/jobs?sort=_id')).data.length, 2)
    const { data } = await list('/jobs?name=Relax')
    t.match(
      data,
      [{ status: 'active', _material: { _id: 'm2' } }],
      'time has passed since the seed',
    )
    t.equal(data[0].statusTrack[1].trackedAt, Date.UTC(2026, 0, 1))
    t.match((await app.inject('/__admin/clock')).json().data, {
      now: '2026-01-01T00:01:00.000Z',
      frozen: true,
    })
    await post('/__admin/scenarios/nothing')
    t.match((await list('/materials')).data, materials)
    t.match((await app.inject('/__admin/clock')).json().data, { offset: 0, frozen: false })
    const unknown = await post('/__admin/scenarios/al')
    t.equal(unknown.statusCode, 404)
    t.equal(
      unknown.json().message,
      'there is no scenario with the name "al"; there are "no materials", "all", "nothing"',
    )
    t.match(
      (await post('/__admin/scenarios/no%20material')).json().message,
      /; the closest one is no materials$/,
    )
  },
)

t.test('in process, a scenario is that of one sandbox', async (t) => {
  const mock = await startMock({ fixtures, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const sandbox = mock.sandbox('story')
  sandbox.scenario('all')
  t.equal(sandbox.clock.frozen, true)
  t.equal(sandbox.faults.list().length, 1)
  t.equal(mock.clock.frozen, false)
  t.same(mock.faults.list(), [])
  for (const name of ['x', undefined, 5])
    t.throws(() => mock.scenario(name as string), { code: 'SCENARIO_NOT_FOUND' })
  const item = sandbox.app.sandboxes.get('story').store.getCollection('materials').entries[0]?.item
  t.match(item, { _id: 'm2' })
  await sandbox.fetch('/api/2018-10-01/materials/m2', { method: 'DELETE', headers })
  sandbox.scenario('all')
  t.equal(sandbox.app.sandboxes.get('story').store.getCollection('materials').size, 1)
  const none = await startMock({ fixtures: { accounts }, logLevel: 'silent' })
  t.teardown(() => none.close())
  t.throws(() => none.scenario('x'), { message: /there are none/ })
})

t.test('a scenario that is wrong ends the start with its name and the path', async (t) => {
  const cases: [scenario: unknown, message: string][] = [
    [5, 'it must be an object, not 5'],
    [
      { itmes: {} },
      '"itmes" is not known here, which has items, lives, seed, faults, clock, view; the closest one is items',
    ],
    [
      { items: { materails: [] } },
      'items.materails: it is no resource of the fixtures; the closest one is materials',
    ],
    [{ items: { 'a b': [] } }, "items.a b: a resource's name must be of lower-case letters"],
    [{ items: { materials: {} } }, 'items.materials must be an array, not {}'],
    [{ items: { materials: [{ name: 'x' }] } }, 'items.materials[0]: _id is missing'],
    [
      { items: { materials: [{ _id: 'm', formula: 7 }] } },
      'items.materials[0] (_id "m"): formula must be a string, not 7',
    ],
    [
      { items: { materials: [{ _id: 'm' }] }, lives: { materials: { m: { jobId: 7 } } } },
      'lives.materials["m"] must be a life as GET /__admin/scenario returns it, of an item of items.materials',
    ],
    [
      { items: { materials: [] }, lives: { materials: { m: { jobId: 'j', from: 1 } } } },
      'lives.materials["m"] must be a life as GET /__admin/scenario returns it, of an item of items.materials',
    ],
    [
      { items: {}, lives: { jobs: { j: { jobId: 'j', from: 1 } } } },
      'lives.jobs must come with items.jobs',
    ],
    [{ seed: { materials: [{ formula: 'Xx' }] } }, 'seed.materials[0]: '],
    [{ seed: { job: [] } }, 'seed.job must be a resource'],
    [{ faults: [{ status: 20 }] }, 'faults.0.status must be an integer from 200 to 599, not 20'],
    [
      { faults: [{ status: 500 }, { path: '/api/*/matirials', status: 500 }] },
      'faults[1]: path must match the path of a route',
    ],
    [{ clock: { set: 'soon' } }, 'clock.set must be a time from 1970'],
    [{ clock: { sett: 'soon' } }, '"sett" is not known in clock'],
    [{ clock: { set: '2026-02-30' } }, 'clock: set must be a time from 1970'],
    [
      { clock: { set: '9999-12-31', advance: 86_400_000 } },
      'clock: advance must not lead beyond 9999',
    ],
  ]
  for (const [scenario, message] of cases) {
    const start = startMock({
      fixtures: { accounts, materials, scenarios: { bad: scenario as object } },
      logLevel: 'silent',
    })
    const error: Error = await start.then(
      () => t.fail(message),
      (reason) => reason,
    )
    t.match(error, { code: 'FIXTURES_INVALID' }, message)
    const expected = `fixtures.scenarios, scenario "bad": ${message}`
    t.equal(error.message.slice(0, expected.length), expected)
  }
  for (const [name, content] of [
    ['..', {}],
    ['a/b', {}],
    ['', {}],
    ['a\uD800', {}],
  ] as const) {
    const start = startMock({ fixtures: { scenarios: { [name]: content } } })
    await t.rejects(start, {
      message:
        /its name must be a path segment of 1 to 100 characters: without "\/" and control characters/,
    })
  }
  await t.rejects(startMock({ fixtures: { scenarios: [] } }), {
    message:
      'fixtures.scenarios must be an object of scenarios by name, such as {"no materials": {"items": {"materials": []}}}, not []',
  })
  const folder = t.testdir({ 'materials.json': '[]', 'scenarios.json': '{"bad": {"seed": 5}}' })
  await t.rejects(startMock({ fixtures: folder }), {
    message: `${join(folder, 'scenarios.json')}, scenario "bad": seed must be an object, not 5`,
  })
})

t.test('without a server that listens, a broken file is an error at its first use', async (t) => {
  const app = await build(t, { fixtures: { scenarios: { good: {}, bad: { seed: 5 } } } })
  const message = 'fixtures.scenarios, scenario "bad": seed must be an object, not 5'
  t.throws(() => app.scenarios.apply('good', app.controls), { code: 'FIXTURES_INVALID', message })
  t.throws(() => app.scenarios.names, { code: 'FIXTURES_INVALID', message })
})

t.test('with --watch, a changed file is loaded; a broken one is not', async (t) => {
  const folder = t.testdir({ 'materials.json': '[]', 'scenarios.json': '{"one": {}}' })
  const app = await build(t, { fixtures: folder, watch: true })
  const file = join(folder, 'scenarios.json')
  writeFileSync(file, '{"one": {}, "two": {}}')
  await waitFor(() => app.scenarios.names.length === 2)
  writeFileSync(file, '{"three": {"seed": 5}}')
  await new Promise((resolve) => setTimeout(resolve, 600))
  t.same(app.scenarios.names, ['one', 'two'])
  writeFileSync(file, '{"four": {}}')
  await waitFor(() => app.scenarios.names[0] === 'four')
  t.same(app.scenarios.names, ['four'])
})

t.test(
  'the shipped scenarios are an empty account, failing jobs, a job in each status, and a demo',
  async (t) => {
    const mock = await startMock({ logLevel: 'silent' })
    t.teardown(() => mock.close())
    const { store } = mock.app
    const statuses = () => store.getCollection('jobs').entries.map(({ item }) => item.status)
    mock.scenario('empty account')
    t.equal(store.getCollection('materials').size, 0)
    mock.scenario('slow platform')
    t.equal(mock.faults.list()[0]?.name, 'slow')
    t.match(store.getCollection('jobs').entries.at(-1)?.item, {
      compute: { errors: [{ message: 'the disk of the cluster is full' }] },
    })
    mock.faults.clear()
    const created = await mock.fetch('/__admin/sessions', { method: 'POST' })
    const session = ((await created.json()) as { data: Record<string, string> }).data
    const request = async (path: string, method: string) => {
      const init = {
        method,
        headers: { ...session, 'content-type': 'application/json' },
        body: '{}',
      }
      const response = await mock.fetch(`/api/2018-10-01/jobs/${path}`, init)
      return ((await response.json()) as { data: { _id: string } }).data
    }
    const { _id } = await request('create', 'PUT')
    await request(`${_id}/submit`, 'POST')
    await mock.clock.advance(10_000)
    t.same(statuses().slice(-1), ['error'])
    mock.scenario('busy queue')
    await mock.clock.advance(0)
    t.same(statuses(), ['pre-submission', 'submitted', 'active', 'finished', 'error'])
    mock.scenario('demo')
    t.same(
      new Set(statuses()),
      new Set(['pre-submission', 'submitted', 'active', 'finished', 'error']),
    )
  },
)

/** The fields that name an item of another resource, or have an object with its `_id`. */
const REFERENCES: Readonly<Record<string, string>> = {
  _material: 'materials',
  _materials: 'materials',
  _project: 'projects',
  jobId: 'jobs',
  materialId: 'materials',
  workflowId: 'workflows',
}

/** Lists what the fields of an item refer to. */
function listReferences(value: unknown, key = ''): (readonly [resource: string, id: string])[] {
  if (Array.isArray(value)) return value.flatMap((each) => listReferences(each, key))
  const isObject = typeof value === 'object' && value !== null
  const resource = REFERENCES[key]
  if (resource !== undefined)
    return [[resource, String(isObject ? (value as { _id: unknown })._id : value)]]
  return isObject ? Object.entries(value).flatMap(([name, each]) => listReferences(each, name)) : []
}

t.test('what items of the shipped scenarios refer to is there', async (t) => {
  const mock = await startMock({ logLevel: 'silent', jobDuration: 1000 })
  t.teardown(() => mock.close())
  const { store } = mock.app
  const find = (resource: string, id: unknown): JsonObject | undefined =>
    store.getCollection(resource).findById(String(id), () => true)?.item
  for (const name of mock.app.scenarios.names) {
    mock.scenario(name)
    await mock.clock.advance(10_000)
    for (const [resource, { entries }] of store.collections) {
      for (const { item } of entries) {
        const what = `${name}: ${resource}/${item._id as string}`
        for (const [other, id] of listReferences(item))
          if (find(other, id) === undefined) t.fail(`${what} refers to ${other}/${id}`)
        const { info } = (item.source ?? {}) as { info?: JsonObject }
        const job = find('jobs', info?.jobId)
        if (
          typeof info?.unitId === 'string' &&
          !JSON.stringify(job?.workflow).includes(info.unitId)
        )
          t.fail(`${what} refers to unit ${info.unitId}`)
        if (resource === 'charges')
          t.match(job, { compute: { cluster: { jid: item.jid } } }, `${what} is of its job`)
      }
    }
  }
})

/** Whether the JSON of a part has a text. */
const isOf = (part: unknown, text: string): boolean => JSON.stringify(part).includes(`"${text}"`)

t.test('the demo has a queue that moves, results, and a job to submit', async (t) => {
  const mock = await startMock({ logLevel: 'silent', jobDuration: 30_000 })
  t.teardown(() => mock.close())
  const { store } = mock.app
  /** Lists the jobs of demo: the first letter of the status, and the number of results. */
  const summarize = (): string[] =>
    store.getCollection('jobs').entries.flatMap(({ item }) => {
      const { _id: jobId, status, owner } = item
      const results = store
        .getCollection('properties')
        .entries.filter(({ item: { source } }) => isOf(source, String(jobId)))
      return isOf(owner, 'demo') ? [`${String(status)[0]}${results.length || ''}`] : []
    })
  mock.scenario('demo')
  t.same(summarize(), ['p', 'a', 'a', 's', 's', 'f7', 'f5', 'e'])
  await mock.clock.advance(31_000)
  t.same(summarize(), ['p', 'f7', 'f5', 'a', 'a', 'f7', 'f5', 'e'])
  await mock.clock.advance(30_000)
  t.same(summarize(), ['p', 'f7', 'f5', 'f5', 'f7', 'f7', 'f5', 'e'])
})

t.test('a saved state gives the same items, jobs, faults and clock again', async (t) => {
  const first = await startMock({ fixtures, jobDuration: 40_000 })
  t.teardown(() => first.close())
  t.same(await first.toScenario(), {}, 'nothing differs after the start')
  await first.clock.freeze()
  const frozen = await first.clock.set('2026-03-01T00:00:00.123Z')
  t.same(await first.toScenario(), { clock: { set: frozen.now, freeze: true } })
  first.reset()

  await first.clock.set('2026-01-01T00:00:00Z')
  t.match(Object.keys(await first.toScenario()), ['clock'])
  await first.clock.freeze()
  // The material of the fixtures has no structure, so the job must say what it leaves.
  const relax = { _id: 'j1', name: 'Relax', outcome: { results: [] } }
  first.seed({ jobs: [{ ...relax, status: 'submitted' }] })
  const fault = { path: '/api/*/projects', status: 503, times: 2, force: true }
  first.faults.add(fault)
  const login = 'username=ann&password=x'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await first.fetch('/api/2018-10-01/login', { method: 'POST', headers: form, body: login })
  const created = { method: 'PUT', headers: { ...headers, 'content-type': 'application/json' } }
  await first.fetch('/api/2018-10-01/materials/create', { ...created, body: '{"name": "new"}' })
  await first.clock.advance(50_000)
  const saved = await first.toScenario()
  t.same(Object.keys(saved.items ?? {}).toSorted(), ['jobs', 'materials'], 'only what differs')
  t.same(saved.faults, [fault])
  t.notMatch(JSON.stringify(saved), /ann-token|password/)

  const second = await startMock({
    fixtures: { ...fixtures, scenarios: { saved } },
    jobDuration: 40_000,
  })
  t.teardown(() => second.close())
  second.scenario('saved')
  const read = async (mock: typeof first, path: string) =>
    (await mock.fetch(`/api/2018-10-01${path}`, { headers })).json()
  t.equal(second.clock.now, first.clock.now)
  t.equal(second.clock.frozen, true)
  t.same(await second.toScenario(), saved, 'the state is the same')
  t.match(await read(first, '/jobs'), { data: [{ status: 'active' }] })
  for (const path of ['/materials', '/jobs'])
    t.same(await read(second, path), await read(first, path), path)
  for (const mock of [first, second]) await mock.clock.advance(40_000)
  t.match(await read(second, '/jobs'), { data: [{ status: 'finished' }] })
  t.same(await read(second, '/jobs'), await read(first, '/jobs'), 'the job ends at the same time')
  const response = await second.fetch('/__admin/scenario')
  t.same(await response.json(), { status: 'success', data: await second.toScenario() })
})

t.test('a running job keeps its time in a saved state', async (t) => {
  const mock = await startMock({ fixtures, jobDuration: 40_000 })
  t.teardown(() => mock.close())
  mock.seed({ jobs: [{ _id: 'j1', status: 'submitted' }] })
  t.match(await mock.toScenario(), { clock: { set: String } })
})
