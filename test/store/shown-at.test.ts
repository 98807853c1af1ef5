import { deepStrictEqual } from 'node:assert/strict'

import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { changeClock } from '../../src/controls/clock.js'
import { resetJob, submitJob } from '../../src/jobs/job-lifecycle.js'
import { createResults } from '../../src/jobs/job-results.js'
import { lookBack, planRun, shownAt } from '../../src/jobs/job-run.js'
import type { JobRun } from '../../src/jobs/job-run.js'
import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Entry } from '../../src/store/entry.js'
import { LoadedFixtures } from '../../src/store/loaded-fixtures.js'
import { Store } from '../../src/store/store.js'
import { BASE, build, logIn } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'
import { sliceFinely, waitForTurn } from '../helpers/slices.js'

const START = Date.UTC(2026, 0, 1)
const DURATION = 100

const fixtures = await loadFixtures('fixtures')
const [material] = fixtures.resources.get('materials') ?? []
const workflows = ['workflows', 'bank-workflows'].flatMap(
  (resource) => fixtures.resources.get(resource) ?? [],
)

const toText = (ms: number): string => new Date(START + ms).toISOString()

const toJob = (index: number, workflow: number, fields: JsonObject = {}): JsonObject =>
  resetJob(
    {
      _id: `job-${index}`,
      owner: material?.owner as JsonObject,
      workflow: workflows[workflow % workflows.length] as JsonObject,
      _materials: [{ _id: String(material?._id) }],
      compute: { cluster: { fqdn: 'here' } },
      ...fields,
    },
    START - 1000,
  )

const createStore = (jobs: JsonObject[]): Store =>
  new Store(
    new LoadedFixtures(
      { ...fixtures, resources: new Map([...fixtures.resources, ['jobs', jobs]]) },
      { jobDuration: DURATION },
    ),
  )

const findJob = (store: Store, id: string): Entry =>
  store.getCollection('jobs').findById(id, () => true) as Entry

/** Lists the results of a job that are shown. */
const listResults = (store: Store, jobId: string): JsonObject[] =>
  ['properties', 'charges'].flatMap((resource) =>
    store
      .getCollection(resource)
      .entries.map(({ item }) => item)
      .filter(({ source }) => ((source as JsonObject).info as JsonObject).jobId === jobId),
  )

/** A job as it was written last, and what is to be shown of it. */
interface Model {
  job: JsonObject
  run: JobRun | undefined
}

/** Returns what a look back is to show of a job at a time, and of its results. */
function expectShown({ job, run }: Model, now: number): { job: JsonObject; results: unknown[] } {
  const looked = lookBack(job, run)
  const shown = looked === undefined ? job : shownAt(job, looked, now)
  if (run === undefined || now < run.endsAt) return { job: shown, results: [] }
  const ended = { job: run.whole, materials: [material as JsonObject], endedAt: run.endsAt }
  const results = runToEnd(createResults(ended)).flatMap(({ resource, item }) =>
    ['properties', 'charges'].includes(resource) ? [item._id] : [],
  )
  return { job: shown, results }
}

/** What happens between two looks. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ goTo: fc.integer({ min: -50, max: 500 }) }) },
  { weight: 3, arbitrary: fc.record({ submit: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ rename: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant({ reset: true as const }) },
  { weight: 1, arbitrary: fc.constant({ takeAndRestore: true as const }) },
)

t.test('what is shown at any time is what the written jobs and the time say', async (t) => {
  const life = fc.record({
    jobs: fc.array(fc.record({ workflow: fc.nat(20), fails: fc.boolean() }), {
      minLength: 3,
      maxLength: 3,
    }),
    steps: fc.array(step, { minLength: 3, maxLength: 14 }),
  })
  let looks = 0
  let ends = 0
  const property = fc.asyncProperty(life, async ({ jobs, steps }) => {
    const outcome = { status: 'error', message: 'out of memory' }
    const written = jobs.map(({ workflow, fails }, index) =>
      toJob(index, workflow, fails ? { outcome } : {}),
    )
    const store = createStore(written)
    const start = async (): Promise<void> => {
      await changeClock(store, { freeze: true })
      await changeClock(store, { rewind: toText(0) })
    }
    await start()
    let models = written.map((job): Model => ({ job, run: undefined }))
    for (const each of steps) {
      const now = store.clock.now()
      if ('goTo' in each) {
        await changeClock(store, { rewind: toText(each.goTo) })
      } else if ('reset' in each) {
        store.reset()
        await start()
        models = written.map((job) => ({ job, run: undefined }))
      } else if ('takeAndRestore' in each) {
        store.snapshots.take('s')
        await changeClock(store, { rewind: toText(400) })
        await changeClock(store, { rewind: new Date(now).toISOString() })
        runToEnd(store.snapshots.restoreInSlices('s')) // at the same time, so that no job is postponed
        await store.catchUp()
      } else {
        const index = 'submit' in each ? each.submit : each.rename
        const model = models[index] as Model
        const former = findJob(store, `job-${index}`)
        const { status } = former.item
        if ('submit' in each && status !== 'pre-submission') continue
        const item =
          'submit' in each
            ? submitJob(former.item, now)
            : { ...former.item, name: `${String(former.item.name)}+` }
        store.getCollection('jobs').replace(former, item)
        await store.catchUp()
        // After its end, only the end of a job changes; before that, it runs from what is written.
        if (model.run !== undefined && now >= model.run.endsAt)
          model.run = { ...model.run, whole: item }
        else Object.assign(model, { job: item, run: planRun(item, DURATION) })
      }
      for (const [index, model] of models.entries()) {
        const expected = expectShown(model, store.clock.now())
        const { item } = findJob(store, `job-${index}`)
        deepStrictEqual(item, expected.job, `${JSON.stringify(each)}: job ${index}`)
        const results = listResults(store, `job-${index}`).map(({ _id }) => _id)
        deepStrictEqual(results, expected.results, `${JSON.stringify(each)}: results of ${index}`)
        looks += 1
        ends += Math.sign(results.length)
      }
    }
  })
  await t.resolves(fc.assert(property, { numRuns: 120 }))
  t.ok(looks > 1000 && ends > 50, `${looks} looks, ${ends} at jobs that had ended`)
})

t.test('without a look back, time changes nothing before what was written', async (t) => {
  const store = createStore([toJob(0, 0)])
  await changeClock(store, { freeze: true })
  await changeClock(store, { set: toText(0) })
  store
    .getCollection('jobs')
    .replace(findJob(store, 'job-0'), submitJob(findJob(store, 'job-0').item, START))
  const seen: unknown[] = []
  for (const time of [0, 150, 300, 150, -50, 250]) {
    await changeClock(store, { set: toText(time) })
    seen.push([findJob(store, 'job-0').item.status, listResults(store, 'job-0').length > 0])
  }
  t.same(seen, [
    ['submitted', false],
    ['active', false],
    ['finished', true],
    ['active', false],
    ['submitted', false],
    ['finished', true],
  ])
  const loaded = store.getCollection('jobs').entries.filter(({ item }) => item._id !== 'job-0')
  t.same(loaded, [], 'only this job')
})

const JOBS = 100

t.test('a reset amid an advance of many jobs ends it', async (t) => {
  for (const [name, replaceState] of [
    ['reset', (store: Store) => store.reset()],
    ['restore', (store: Store) => runToEnd(store.snapshots.restoreInSlices('before'))],
    ['replace', (store: Store) => store.replaceItems(store.createReplacement('jobs'))],
  ] as const) {
    const jobs = Array.from({ length: JOBS }, (_, index) =>
      submitJob(toJob(index, 0), START - 1000),
    )
    let system = START
    replace(t, Date, 'now', () => system)
    const store = createStore(jobs)
    store.clock.set(START - 1000, false)
    await store.catchUp()
    store.snapshots.take('before')
    const { size } = store.getCollection('properties')
    const restore = sliceFinely(t)
    const advancing = changeClock(store, { advance: 10 * DURATION })
    await waitForTurn(() => store.getCollection('properties').size > size) // some jobs have ended
    t.ok(store.getCollection('properties').size < size + JOBS, `${name}: not all`)
    const kept = name === 'replace' ? store.getCollection('properties').size : size
    replaceState(store)
    if (name === 'reset') store.clock.set(START - 1000, false)
    await advancing
    restore()
    await store.catchUp()
    const count = (status: string): number =>
      store.getCollection('jobs').entries.filter(({ item }) => item.status === status).length
    t.equal(count('finished'), 0, name)
    t.equal(store.getCollection('properties').size, kept, name)
    system += 1
  }
})

t.test('a reset over HTTP ends an advance, and the clock is that of the system', async (t) => {
  const jobs = Array.from({ length: JOBS }, (_, index) => submitJob(toJob(index, 0), Date.now()))
  const items = Object.fromEntries(fixtures.resources)
  const app = await build(t, { fixtures: { ...items, jobs }, jobDuration: 60_000 })
  const call = (url: string, payload: object = {}) =>
    app.inject({ method: 'POST', url: `/__admin/${url}`, payload })
  await app.inject('/__admin/clock')
  const { size } = app.store.getCollection('properties')
  sliceFinely(t)
  const advancing = call('clock', { advance: 3_600_000 })
  await waitForTurn(() => app.store.getCollection('properties').size > size)
  t.equal((await call('reset')).statusCode, 200)
  t.match((await advancing).json(), { data: { offset: 0, frozen: false } })
  t.match((await app.inject('/__admin/clock')).json(), { data: { offset: 0, frozen: false } })
  const headers = await logIn(app, 'demo', 'demo')
  const url = `${BASE}/jobs?query={"status":"finished"}`
  t.same((await app.inject({ url, headers })).json().data, [])
  t.equal(app.store.getCollection('properties').size, size)
})

t.test('an error that no rule foresees is a 500, and the job is tried again', async (t) => {
  const items = Object.fromEntries(fixtures.resources)
  const app = await build(t, { fixtures: { ...items, jobs: [toJob(0, 0)] }, jobDuration: 0 })
  const submit = async (): Promise<Record<string, string>> => {
    const headers = await logIn(app, 'demo', 'demo')
    const url = `${BASE}/jobs/job-0/submit`
    t.equal((await app.inject({ method: 'POST', url, headers })).statusCode, 200)
    return headers
  }
  const headers = await submit()
  const properties = app.store.getCollection('properties')
  const { put } = properties
  properties.put = () => {
    throw new TypeError('a defect')
  }
  const get = (url: string) => app.inject({ url: BASE + url, headers })
  for (let time = 0; time < 2; time += 1) t.equal((await get('/jobs')).statusCode, 500)
  properties.put = put
  t.match((await get('/jobs/job-0')).json(), { data: { status: 'finished' } })
})

t.test(
  'a snapshot of a rewound server has the results of its jobs, also after a restart',
  async (t) => {
    const state = `${t.testdir()}/state`
    const job = '/jobs/WcTtK8e6rPQPWSEm9'
    const read = async (mock: Awaited<ReturnType<typeof startMock>>): Promise<unknown> => {
      const headers = await logIn(mock.app, 'demo', 'demo')
      const get = async (path: string): Promise<JsonObject> =>
        (await mock.app.inject({ url: BASE + path, headers })).json().data
      return [
        await get(job),
        await get('/properties?projection={"limit":500}'),
        await get('/charges'),
      ]
    }
    const options = { logLevel: 'silent', jobDuration: 1000 } as const
    const first = await startMock({ ...options, state } as never)
    const headers = {
      ...(await logIn(first.app, 'demo', 'demo')),
      'content-type': 'application/json',
    }
    await first.app.inject({ method: 'POST', url: `${BASE}${job}/submit`, headers })
    await first.clock.advance(600_000)
    const before = await read(first)
    await first.clock.rewind(new Date(Date.now() - 60_000))
    first.snapshot('rewound')
    await first.close()
    const next = await startMock({ ...options, state } as never)
    t.teardown(() => next.close())
    next.restore('rewound')
    t.same(await read(next), before)
    await next.clock.rewind(new Date(Date.now() - 60_000))
    t.match(await read(next), [{ status: 'pre-submission' }])
    const [, properties] = (await read(next)) as [unknown, JsonObject[]]
    const made = properties.filter(({ source }) =>
      JSON.stringify(source).includes('WcTtK8e6rPQPWSEm9'),
    )
    t.same(made, [], 'what a job of an earlier run has made is not there before its end')
    next.app.store.clock.reset()
    await next.app.store.catchUp()
    await next.clock.advance(600_000)
    t.same(await read(next), before)
  },
)

t.test('the jobs of a scenario that was saved go on elsewhere', async (t) => {
  const job = 'WcTtK8e6rPQPWSEm9'
  const start = async (options: object) => {
    const mock = await startMock({ logLevel: 'silent', jobDuration: 10_000, ...options } as never)
    t.teardown(() => mock.close())
    return mock
  }
  const one = await start({})
  const headers = { ...(await logIn(one.app, 'demo', 'demo')), 'content-type': 'application/json' }
  await one.clock.freeze()
  await one.app.inject({ method: 'POST', url: `${BASE}/jobs/${job}/submit`, headers })
  const submittedAt = Date.parse(one.clock.now)
  const read = async (mock: typeof one): Promise<unknown[]> => {
    const session = await logIn(mock.app, 'demo', 'demo')
    const get = async (path: string): Promise<JsonObject[]> =>
      (await mock.app.inject({ url: BASE + path, headers: session })).json().data
    const [shown] = await get(`/jobs?query={"_id":"${job}"}`)
    const properties = await get(`/properties?query={"source.info.jobId":"${job}"}`)
    return [shown, properties]
  }
  await one.clock.advance(60_000)
  for (const after of [-5000, 3000, 15_000, 25_000]) {
    await one.clock.rewind(new Date(submittedAt + after))
    const scenarios = { saved: await one.toScenario() }
    const other = await start({
      fixtures: {
        ...Object.fromEntries(fixtures.resources),
        accounts: fixtures.accounts,
        scenarios,
      },
    })
    other.scenario('saved')
    t.same(await read(other), await read(one), `${after} ms after its submission`)
    for (const mock of [one, other]) await mock.clock.advance(30_000)
    const [shown] = await read(other)
    t.match(shown, { status: 'finished' })
    t.same(await read(other), await read(one), 'it goes on')
  }
})
