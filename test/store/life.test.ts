import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { submitJob } from '../../src/jobs/job-lifecycle.js'
import { validateFixtures } from '../../src/fixtures/validate-fixtures.js'
import { LoadedFixtures } from '../../src/store/loaded-fixtures.js'
import { Store } from '../../src/store/store.js'
import { replace } from '../helpers/replace.js'

const allVisible = () => true

const toSubmitted = (job: JsonObject, now: number): JsonObject =>
  submitJob({ status: 'pre-submission', ...job }, now)

t.test('a snapshot with many jobs in progress is restored in slices, and at once', async (t) => {
  const jobs = Array.from({ length: 50 }, (_, index) =>
    toSubmitted({ _id: `j${index}` }, 1000 + index),
  )
  const store = new Store(
    new LoadedFixtures(await validateFixtures({ jobs }), { jobDuration: 1e15 }),
  )
  const collection = store.getCollection('jobs')
  store.snapshots.take('submitted')
  await store.jobClock.advance()
  const former = collection.version
  let now = Date.now()
  replace(t, Date, 'now', () => (now += 5000))
  const restoring = store.snapshots.restoreInSlices('submitted')
  let slices = 0
  for (; restoring.next().done !== true; slices += 1)
    t.equal(collection.version, former, 'no slice shows a half')
  t.equal(slices, 2 * 50, 'each job is postponed, and then stored')
  const [track] = collection.entries.map(({ item }) => item.statusTrack as JsonObject[])
  t.ok(Number(track?.at(-1)?.trackedAt) >= 6000, 'the submission is postponed')
})

/** Runs a job. Returns how it ended, and how many properties it has left. */
const runJob = async (job: JsonObject) => {
  const materials = Array.from({ length: 101 }, (_, index) => ({ _id: `m${index}` }))
  const jobs = [toSubmitted({ _id: 'j', ...job }, 1000)]
  const store = new Store(new LoadedFixtures(await validateFixtures({ jobs, materials })))
  await store.jobClock.advance()
  const [entry] = store.getCollection('jobs').entries
  const { compute = null, status } = entry?.item ?? {}
  return { status, compute, properties: store.getCollection('properties').size }
}

const toError = (message: string) => ({
  status: 'error',
  compute: { errors: [{ domain: 'rupy', reason: 'JobFailed', message }] },
  properties: 0,
})

const withResults = (length: number): JsonObject => ({
  outcome: { results: Array.from({ length }, (_, index) => ({ data: { name: `r${index}` } })) },
})

const withUnits = (length: number): JsonObject => ({
  workflow: {
    subworkflows: [
      {
        units: Array.from({ length }, (_, n) => ({
          type: 'execution',
          results: n < 1 ? ['x'] : [],
        })),
      },
    ],
  },
})

t.test(
  'a job with too many runs, materials or results ends with an error that says so',
  async (t) => {
    const _materials = Array.from({ length: 101 }, (_, index) => ({ _id: `m${index}` }))
    t.match(await runJob({ _materials }), toError('a job must have at most 100 materials, not 101'))
    const allowed = { _materials: _materials.slice(1), outcome: { results: [] } } // none of them is there
    t.match(await runJob(allowed), { status: 'finished' })
    t.match(
      await runJob(withUnits(1001)),
      toError(
        'a job must run at most 1000 units, and its workflow runs more; end its loop earlier',
      ),
    )
    const outcome = { status: 'error', message: 'no convergence' }
    t.match(await runJob({ ...withUnits(1001), outcome }), toError('no convergence'))
    t.match(await runJob(withUnits(1000)), { status: 'finished', properties: 1 })
    const message = 'a job must leave at most 1000 results, and its workflow asks for more'
    t.match(await runJob(withResults(1001)), toError(message))
    t.match(await runJob(withResults(1000)), { status: 'finished', properties: 1000 })
  },
)

t.test('jobs and sessions continue from a snapshot as if no time had passed', async (t) => {
  let now = 1_000_000
  replace(t, Date, 'now', () => now)
  const jobs = [
    { _id: 'b', status: 'pre-submission' },
    { _id: 'c', status: 'pre-submission' },
  ]
  const store = new Store(
    new LoadedFixtures(await validateFixtures({ jobs }), { jobDuration: 100, sessionTtl: 0.5 }),
  )
  const collection = store.collections.get('jobs')
  const find = (id: string) => collection?.findById(id, allVisible)
  const submit = (id: string) => {
    const entry = find(id)
    if (entry !== undefined) collection?.replace(entry, submitJob(entry.item, now))
  }
  const statuses = async () => {
    await store.jobClock.advance()
    return ['b', 'c'].map((id) => find(id)?.item.status).join()
  }
  submit('b')
  const token = store.sessions.open('demo')
  now += 60
  store.snapshots.take('submitted')
  now += 10_000
  t.equal(await statuses(), 'finished,pre-submission')
  for (let count = 0; count < 2; count += 1) {
    runToEnd(store.snapshots.restoreInSlices('submitted'))
    submit('c')
    now += 39
    t.equal(await statuses(), 'submitted,submitted')
    now += 1
    t.equal(await statuses(), 'active,submitted')
    now += 100
    t.equal(await statuses(), 'finished,active')
    t.ok(store.sessions.isValid('demo', token))
    now += 300
    t.notOk(store.sessions.isValid('demo', token))
  }
})
