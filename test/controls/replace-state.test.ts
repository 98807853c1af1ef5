import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import t from 'tap'
import type { Test } from 'tap'

import { submitJob } from '../../src/jobs/job-lifecycle.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'
import { Collection } from '../../src/store/collection.js'
import { build, send, waitFor } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'
import { sliceFinely, waitForTurn } from '../helpers/slices.js'

const HOUR = 3_600_000

/** As many jobs as take some hundred turns of the event loop to end, if each turn has one step. */
const JOBS = 300

/** Starts a mock with jobs that run for two hours. */
async function start(t: Test, options: { watch?: boolean } = {}) {
  const units = [{ type: 'execution', flowchartId: 'u', results: ['pressure'] }]
  const workflow = { subworkflows: [{ units }] }
  const jobs = Array.from({ length: JOBS }, (_, index) =>
    submitJob({ _id: `j${index}`, status: 'pre-submission', workflow }, Date.now()),
  )
  const folder = t.testdir({
    'jobs.json': JSON.stringify(jobs),
    'properties.json': '[]',
    'charges.json': '[]',
    'scenarios.json': '{"as loaded": {}, "no jobs": {"items": {"jobs": []}}}',
  })
  const mock = await startMock({
    ...options,
    fixtures: folder,
    jobDuration: HOUR,
    logLevel: 'silent',
  })
  t.teardown(() => mock.close())
  const { store } = mock.app.sandboxes.main
  const count = () => ['properties', 'charges'].map((name) => store.getCollection(name).size)
  return { mock, store, folder, count }
}

type Started = Awaited<ReturnType<typeof start>>

const ask = async ({ url }: Mock, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}/__admin${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  return response.ok ? response.status : ((await response.json()) as Failure).data.code
}

interface Failure {
  readonly data: { readonly code: string }
}

/** What replaces the state, the number of jobs after it, and whether it replaces all other items. */
const WAYS: Record<string, { by: (started: Started) => unknown; jobs: number; isWhole?: true }> = {
  'POST /reset': { by: ({ mock }) => ask(mock, 'POST', '/reset'), jobs: JOBS, isWhole: true },
  'mock.reset': { by: ({ mock }) => mock.reset(), jobs: JOBS, isWhole: true },
  'POST /snapshots/s/restore': {
    by: ({ mock }) => ask(mock, 'POST', '/snapshots/s/restore'),
    jobs: JOBS,
    isWhole: true,
  },
  'mock.restore': { by: ({ mock }) => mock.restore('s'), jobs: JOBS, isWhole: true },
  'POST /scenarios/as loaded': {
    by: ({ mock }) => ask(mock, 'POST', '/scenarios/as%20loaded'),
    jobs: JOBS,
    isWhole: true,
  },
  'mock.scenario': { by: ({ mock }) => mock.scenario('no jobs'), jobs: 0, isWhole: true },
  'PUT /fixtures/jobs': { by: ({ mock }) => ask(mock, 'PUT', '/fixtures/jobs', []), jobs: 0 },
  'POST /seed': { by: ({ mock }) => ask(mock, 'POST', '/seed', { jobs: [] }), jobs: 0 },
  'mock.seed': { by: ({ mock }) => mock.seed({ jobs: [] }), jobs: 0 },
  'POST /reload': {
    by: ({ mock, folder }) => {
      writeFileSync(`${folder}/jobs.json`, '[]')
      return ask(mock, 'POST', '/reload')
    },
    jobs: 0,
  },
  '--watch': {
    by: async ({ store, folder }) => {
      writeFileSync(`${folder}/jobs.json`, '[]')
      await waitFor(() => store.getCollection('jobs').size === 0)
    },
    jobs: 0,
  },
}

for (const [way, { by, jobs, isWhole = false }] of Object.entries(WAYS)) {
  t.test(`amid an advance of many jobs, ${way} ends it`, async (t) => {
    const started = await start(t, { watch: way === '--watch' })
    const { mock, store, count } = started
    mock.snapshot('s')
    sliceFinely(t)
    const advancing = ask(mock, 'POST', '/clock', { advance: 3 * HOUR })
    await waitForTurn(() => count()[0] !== 0)
    await by(started)
    const counts = count()
    await advancing
    await store.catchUp()
    t.same(count(), counts, 'nothing is left afterwards')
    const { entries } = store.getCollection('jobs')
    t.equal(entries.length, jobs)
    t.equal(entries.filter(({ item }) => item.status === 'finished').length, 0)
    if (isWhole) t.same(counts, [0, 0])
    if (isWhole && !way.includes('restore'))
      t.match(mock.clock, { frozen: false, offset: 0 }, 'the clock is what the reset says')
  })
}

t.test('work that is sliced writes nothing after a reset', async (t) => {
  const things = Array.from({ length: 5000 }, (_, index) => ({ _id: `t${index}`, n: [1, 2, 3] }))
  const replacing: Record<string, [method: string, path: string, body?: unknown]> = {
    seed: ['POST', '/seed', { materials: things.map(() => ({ formula: 'Si' })).slice(0, 100) }],
    fixtures: ['PUT', '/fixtures/materials', things],
    restore: ['POST', '/snapshots/s/restore'],
  }
  const jobs = Array.from({ length: 100 }, (_, index) =>
    submitJob({ _id: `j${index}`, status: 'pre-submission' }, Date.now()),
  )
  const fixtures = { materials: [{ _id: 'm' }], jobs }
  for (const [name, [method, path, body]] of Object.entries(replacing)) {
    const mock = await startMock({ fixtures, jobDuration: HOUR, logLevel: 'silent' })
    t.teardown(() => mock.close())
    const { store } = mock.app.sandboxes.main
    await store.catchUp()
    await send(mock.app, '/jobs/j0')
    mock.snapshot('s')
    mock.seed({ materials: [] })
    await sleep(5) // a restored job is postponed
    const restore = sliceFinely(t, (count) => {
      if (count === 3) setImmediate(() => mock.reset())
    })
    t.equal(await ask(mock, method, path, body), 'STATE_REPLACED', name)
    restore()
    t.same(
      store.getCollection('materials').entries.map(({ item }) => item),
      fixtures.materials,
      name,
    )
  }
})

t.test('a restore has no budget: what can be kept can be restored', async (t) => {
  const jobs = Array.from({ length: 2000 }, (_, index) =>
    submitJob({ _id: `j${index}`, status: 'pre-submission' }, Date.now()),
  )
  const fixtures = { jobs }
  const mock = await startMock({ fixtures, jobDuration: HOUR, queryBudget: 1, logLevel: 'silent' })
  t.teardown(() => mock.close())
  mock.snapshot('s')
  mock.seed({ jobs: [] })
  await sleep(5) // a restored job is postponed
  t.equal(await ask(mock, 'POST', '/snapshots/s/restore'), 200)
  t.equal(mock.app.sandboxes.main.store.getCollection('jobs').size, 2000)
})

t.test(
  'an unforeseen failure of a job is a 500 and a line in the log, and a reset works',
  async (t) => {
    const job = submitJob({ _id: 'j', status: 'pre-submission' }, 1000)
    const app = await build(t, { fixtures: { jobs: [job] } })
    const { sandboxes } = app
    sandboxes.main.store.snapshots.take('s')
    const mend = replace(t, Collection.prototype, 'put', () => {
      throw new TypeError('a defect')
    })
    const read = () => app.inject({ method: 'GET', url: '/__admin/fixtures/jobs' })
    t.equal((await read()).statusCode, 500)
    t.equal((await send(app, '/jobs')).json().status, 'error')
    t.doesNotThrow(() => sandboxes.main.events.follow(() => undefined)(), 'the page goes on')
    const post = (url: string, payload?: object) =>
      app.inject({ method: 'POST', url: `/__admin${url}`, ...(payload && { payload }) })
    t.equal((await post('/reset')).statusCode, 200)
    t.equal((await post('/snapshots/s/restore')).statusCode, 200)
    const call = { name: 'reset', arguments: {} }
    const answer = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    t.notOk(answer.json().result.isError)
    t.equal((await read()).statusCode, 500, 'it has not become a job that fails')
    mend()
    t.match((await read()).json().data, [{ status: 'finished' }])
  },
)
