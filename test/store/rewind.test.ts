import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'

import { listUnits } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { changeClock } from '../../src/controls/clock.js'
import { resetJob, submitJob } from '../../src/jobs/job-lifecycle.js'
import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Entry } from '../../src/store/entry.js'
import { LoadedFixtures } from '../../src/store/loaded-fixtures.js'
import { Store } from '../../src/store/store.js'
import { BASE, build, logIn } from '../helpers/build.js'

const START = Date.UTC(2026, 0, 1)
const DURATION = 100

const fixtures = await loadFixtures('fixtures')
const [material] = fixtures.resources.get('materials') ?? []
const workflows = ['workflows', 'bank-workflows'].flatMap(
  (resource) => fixtures.resources.get(resource) ?? [],
)

const toText = (ms: number): string => new Date(START + ms).toISOString()

/** Returns what is seen of a job: its states, those of its units, the repetitions of its loops, its results. */
function look(store: Store): unknown {
  const job = store.getCollection('jobs').findById('job', () => true)?.item ?? {}
  return {
    status: job.status,
    track: job.statusTrack,
    jid: (job.compute as JsonObject | undefined)?.cluster,
    errors: (job.compute as JsonObject | undefined)?.errors,
    units: listUnits(job).map(({ unit }) => [unit.status ?? 'idle', unit.statusTrack ?? []]),
    scopes: job.scopeTrack ?? [],
    results: store
      .getCollection('properties')
      .entries.map(({ item }) => item)
      .filter(({ source }) => ((source as JsonObject).info as JsonObject).jobId === 'job')
      .map(({ _id }) => _id),
  }
}

t.test('a job is seen as it was at any time of its life, in any order', async (t) => {
  const life = fc.record({
    workflow: fc.nat(workflows.length - 1),
    fails: fc.boolean(),
    times: fc.array(fc.integer({ min: -50, max: 300 }), { minLength: 1, maxLength: 6 }),
    order: fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ workflow, fails, times, order }) => {
      const job = resetJob(
        {
          _id: 'job',
          owner: material?.owner as JsonObject,
          workflow: workflows[workflow] as JsonObject,
          _materials: [{ _id: String(material?._id) }],
          compute: { cluster: { fqdn: 'here' } },
          ...(fails && { outcome: { status: 'error', message: 'out of memory' } }),
        },
        START - 100,
      )
      const resources = new Map([...fixtures.resources, ['jobs', [job]] as const])
      const store = new Store(
        new LoadedFixtures({ ...fixtures, resources }, { jobDuration: DURATION, sessionTtl: 1 }),
      )
      await changeClock(store, { set: toText(-60) })
      await changeClock(store, { freeze: true })
      const sorted = [...new Set(times)].toSorted((a, b) => a - b)
      const seen = new Map<number, unknown>()
      for (const time of [...sorted, 400]) {
        const entry = store.getCollection('jobs').entries[0]
        if (time >= 0 && entry?.item.status === 'pre-submission') {
          await changeClock(store, { set: toText(0) })
          store.getCollection('jobs').replace(entry, submitJob(entry.item, START))
        }
        await changeClock(store, { set: toText(time) })
        seen.set(time, look(store))
      }
      for (const index of [...order, sorted.length]) {
        const time = [...seen.keys()][index % seen.size] as number
        await changeClock(store, { rewind: toText(time) })
        t.same(look(store), seen.get(time), `at ${time}`)
      }
      await changeClock(store, { set: toText(400) })
      t.same(look(store), seen.get(400), 'it follows the clock')
    }),
    { numRuns: 40 },
  )
})

t.test('jobs of the fixtures are rewound, and come back whole', async (t) => {
  const app = await build(t)
  const headers = { ...(await logIn(app, 'demo', 'demo')), 'content-type': 'application/json' }
  const list = async (): Promise<JsonObject[]> =>
    (await app.inject({ url: `${BASE}/jobs`, headers })).json().data
  const clock = (change: object) =>
    app.inject({ method: 'POST', url: '/__admin/clock', payload: change })
  const before = await list()
  const finished = before.find(({ _id }) => _id === '9gyhfncWDhnSyzALv') as JsonObject
  const sourced = ['properties', 'raw-properties', 'charges']
  const read = async (): Promise<JsonObject[][]> =>
    Promise.all(
      sourced.map(async (resource) => {
        const query = new URLSearchParams({ query: `{"source.info.jobId":"${finished._id}"}` })
        return (await app.inject({ url: `${BASE}/${resource}?${query}`, headers })).json().data
      }),
    )
  const results = await read()
  t.same(
    results.map(({ length }) => length),
    [7, 2, 1],
  )
  for (const [seconds, status] of [
    [1728793700, 'pre-submission'],
    [1728793741, 'submitted'],
    [1728793840, 'active'],
    [1728793921, 'finished'],
  ] as const) {
    const rewind = new Date(seconds * 1000).toISOString()
    t.match((await clock({ rewind })).json().data, { now: rewind.slice(0, 19) })
    const found = (await list()).find(({ _id }) => _id === finished._id)
    t.equal(found?.status, status)
    t.same(await read(), status === 'finished' ? results : [[], [], []], status)
  }
  await app.inject({ method: 'DELETE', url: '/__admin/clock' })
  t.same(await read(), results)
  t.same(await list(), before, 'nothing of them is lost')

  // A job that is changed while it is rewound goes on from there, and a reset forgets all.
  await clock({ rewind: new Date(1728793700_000).toISOString() })
  const url = `${BASE}/jobs/${String(finished._id)}`
  const patched = { method: 'PATCH', url, headers, payload: { name: 'Another' } } as const
  t.match((await app.inject(patched)).json().data, { name: 'Another', status: 'pre-submission' })
  await app.inject({ method: 'DELETE', url: '/__admin/clock' })
  t.match((await app.inject({ url, headers })).json().data, {
    name: 'Another',
    status: 'pre-submission',
  })
  await clock({ rewind: '2024-01-01' })
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  const again = { ...headers, ...(await logIn(app, 'demo', 'demo')) }
  t.same((await app.inject({ url: `${BASE}/jobs`, headers: again })).json().data, before)
  for (const [rewind, message] of [
    ['2026-02-31', /^rewind must be a time/],
    ['yesterday', /^rewind must be a time/],
  ] as const)
    t.match((await clock({ rewind })).json(), { message })
  t.match((await clock({ rewind: '2026-01-01', freeze: true })).json(), { message: /one of/ })
})

/** Runs a shipped job to its end, and returns a function that reads what a client sees of it. */
async function runShippedJob(app: FastifyInstance): Promise<() => Promise<unknown>> {
  const headers = { ...(await logIn(app, 'demo', 'demo')), 'content-type': 'application/json' }
  const url = `${BASE}/jobs/WcTtK8e6rPQPWSEm9`
  const get = async (path: string): Promise<JsonObject> =>
    (await app.inject({ url: BASE + path, headers: await logIn(app, 'demo', 'demo') })).json().data
  await app.inject({ method: 'POST', url: `${url}/submit`, headers })
  await app.inject({ method: 'POST', url: '/__admin/clock', payload: { advance: 600_000 } })
  return async () => [
    await get('/jobs/WcTtK8e6rPQPWSEm9'),
    await get('/properties?projection={"limit":500}'),
    await get('/charges'),
  ]
}

const rewind = (app: FastifyInstance, at: number) =>
  app.inject({
    method: 'POST',
    url: '/__admin/clock',
    payload: { rewind: new Date(at).toISOString() },
  })

t.test('a job that is rewound is saved whole, with its results', async (t) => {
  const state = `${t.testdir()}/state`
  const app = await build(t, { state, jobDuration: 1000 })
  const read = await runShippedJob(app)
  const before = await read()
  for (const at of [Date.now() - 60_000, Date.now() - 50_000]) await rewind(app, at)
  t.match(await read(), [{ status: 'pre-submission' }])
  await app.close()
  const next = await build(t, { state, jobDuration: 1000 })
  const headers = await logIn(next, 'demo', 'demo')
  const get = async (path: string): Promise<unknown> =>
    (await next.inject({ url: BASE + path, headers })).json().data
  t.same(
    [
      await get('/jobs/WcTtK8e6rPQPWSEm9'),
      await get('/properties?projection={"limit":500}'),
      await get('/charges'),
    ],
    before,
  )
})

t.test('a snapshot of a rewound job does not end its life', async (t) => {
  const app = await build(t, { jobDuration: 1000 })
  const read = await runShippedJob(app)
  const before = await read()
  const snapshot = (path: string, method: 'PUT' | 'POST') =>
    app.inject({ method, url: `/__admin/snapshots/${path}` })
  await rewind(app, Date.now() - 60_000)
  await snapshot('rewound', 'PUT')
  await app.inject({ method: 'DELETE', url: '/__admin/clock' })
  await app.inject({ method: 'POST', url: '/__admin/clock', payload: { advance: 600_000 } })
  t.same(await read(), before, 'in its place, too')
  await snapshot('rewound/restore', 'POST')
  t.same(await read(), before, 'it follows the clock')
})

t.test('a job that ran in a snapshot, where it was rewound, goes on from there', async (t) => {
  const mock = await startMock({ logLevel: 'silent', jobDuration: 1000 })
  t.teardown(() => mock.close())
  const read = await runShippedJob(mock.app)
  const readJob = async (): Promise<JsonObject> => ((await read()) as [JsonObject])[0]
  await mock.clock.freeze()
  for (const [after, status] of [
    [500, 'submitted'],
    [1500, 'active'],
  ] as const) {
    const { statusTrack } = await readJob()
    const submission = (statusTrack as JsonObject[]).find((each) => each.status === 'submitted')
    await mock.clock.rewind(new Date((submission?.trackedAt as number) + after))
    mock.snapshot('rewound')
    await mock.clock.advance(60_000)
    t.equal((await readJob()).status, 'finished')
    mock.restore('rewound')
    t.equal((await readJob()).status, status, 'it has the progress of the snapshot')
    await mock.clock.advance(2000)
    t.equal((await readJob()).status, 'finished')
  }
})

t.test('a rewound job ends before one that is submitted meanwhile', async (t) => {
  const jobs = ['first', 'second'].map((_id) =>
    resetJob(
      {
        _id,
        workflow: workflows[0] as JsonObject,
        _material: { _id: String(material?._id) },
        compute: { cluster: { fqdn: 'here' } },
      },
      START,
    ),
  )
  const resources = new Map([...fixtures.resources, ['jobs', jobs], ['charges', []]] as const)
  const store = new Store(
    new LoadedFixtures({ ...fixtures, resources }, { jobDuration: DURATION, sessionTtl: 1 }),
  )
  const submit = (id: string): void => {
    const entry = store.getCollection('jobs').findById(id, () => true) as Entry
    store.getCollection('jobs').replace(entry, submitJob(entry.item, store.clock.now()))
  }
  await changeClock(store, { freeze: true })
  await changeClock(store, { set: toText(0) })
  submit('first')
  await changeClock(store, { set: toText(1.5 * DURATION) })
  await changeClock(store, { rewind: toText(0.5 * DURATION) })
  submit('second')
  await changeClock(store, { set: toText(10 * DURATION) })
  const ends = store.getCollection('charges').entries.map(({ item }) => item.createdAt)
  t.same(ends, [toText(2 * DURATION), toText(2.5 * DURATION)], 'in one step')
})

t.test('a mock in process rewinds, too', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const statusOf = async (): Promise<unknown> => {
    const headers = await logIn(mock.app, 'demo', 'demo')
    const response = await mock.app.inject({ url: `${BASE}/jobs/9gyhfncWDhnSyzALv`, headers })
    return response.json().data.status
  }
  await mock.clock.rewind(new Date(1728793840_000))
  t.equal(await statusOf(), 'active')
  await mock.clock.reset()
  t.equal(await statusOf(), 'finished')
})

t.test('setting the clock back undoes nothing', async (t) => {
  const app = await build(t)
  const jobs = app.store.getCollection('jobs')
  const before = jobs.entries.map(({ item }) => item)
  await app.inject({ method: 'POST', url: '/__admin/clock', payload: { set: '2020-01-01' } })
  t.same(
    jobs.entries.map(({ item }) => item),
    before,
  )
})
