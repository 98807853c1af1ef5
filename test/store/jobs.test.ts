import t from 'tap'

import type { JsonObject } from '../../src/json/json.js'
import { jobLifecycle, resetJob, submitJob } from '../../src/domain/jobs/job-lifecycle.js'
import { TimedCollection } from '../../src/store/timed-collection.js'
import { validateFixtures } from '../../src/fixtures/load-fixtures.js'
import { Store } from '../../src/store/store.js'

const everything = () => true

const lifecycle = jobLifecycle(100)
const { advance, nextTransitionAt, shiftTimes } = lifecycle

/** A track of one submission. */
const at = (trackedAt: unknown) => [{ trackedAt, status: 'submitted' }] as JsonObject[]

const statusAt = (job: JsonObject, now: number): unknown => advance(job, now).status

t.test('a submitted job is active after a while, and finished after twice that', async (t) => {
  const job = submitJob({ _id: 'j', status: 'pre-submission' }, 1000)
  t.same(job.statusTrack, [{ trackedAt: 1000, status: 'submitted' }])
  t.equal(advance(job, 1099), job, 'nothing is due')
  t.same(
    [1100, 1199, 1200, 9999].map((now) => statusAt(job, now)),
    ['active', 'active', 'finished', 'finished'],
  )
  const active = advance(job, 1150)
  t.equal(active.updatedAt, new Date(1100).toISOString())
  t.same(advance(active, 1200), advance(job, 1200), 'whether or not it was read meanwhile')
  t.same(
    [job, active, advance(job, 1200)].map((each) => nextTransitionAt(each)),
    [1100, 1200, Infinity],
  )
})

t.test('only a job that was submitted moves', async (t) => {
  const still: JsonObject[] = [
    { _id: 'j', status: 'submitted' },
    { _id: 'j', status: 'active', statusTrack: [] },
    { _id: 'j', status: 'active', statusTrack: 'none' },
    { _id: 'j', status: 'submitted', statusTrack: [null, { trackedAt: 1, status: 'active' }] },
    { _id: 'j', status: 'submitted', statusTrack: at('1') },
    { _id: 'j', status: 'submitted', statusTrack: at(-1e300) },
    { _id: 'j', status: 'submitted', statusTrack: at(1e300) },
    { _id: 'j', status: 'terminated', statusTrack: at(1) },
    { _id: 'j' },
  ]
  for (const job of still) t.equal(advance(job, 1e12), job, JSON.stringify(job))
  const again = { _id: 'j', status: 'submitted', statusTrack: [...at(1), ...at(500)] }
  t.equal(statusAt(again, 599), 'submitted', 'the last submission counts')
  t.throws(() => submitJob({ _id: 'j', status: 'finished' }, 1), { code: 'JOB_NOT_SUBMITTABLE' })
  t.same(resetJob(advance(again, 1e12)).status, 'pre-submission')
})

t.test('a collection of jobs does what is due, and writes nothing else', async (t) => {
  const jobs = new TimedCollection(
    'jobs',
    [{ _id: 'a' }, { _id: 'b', status: 'pre-submission' }],
    lifecycle,
  )
  const { version } = jobs
  jobs.advance(Date.now())
  t.equal(jobs.version, version)
  const entry = jobs.findById('b', everything)
  if (entry === undefined) return t.fail('b is there')
  const start = Date.now() + 60_000
  jobs.replace(entry, submitJob(entry.item, start))
  const saved = jobs.save()
  const status = () => jobs.findById('b', everything)?.item.status
  t.equal(status(), 'submitted')
  jobs.advance(start + 150)
  t.equal(status(), 'active')
  jobs.advance(start + 200)
  t.equal(status(), 'finished')
  jobs.restore(saved)
  t.equal(status(), 'submitted', 'all state is in the items')
  jobs.advance(start + 100)
  t.equal(status(), 'active')
})

t.test('a job that is on its way can be postponed', async (t) => {
  const job = submitJob({ _id: 'j', status: 'pre-submission' }, 1000)
  t.same(shiftTimes(job, 50), { ...job, statusTrack: at(1050) })
  t.same(statusAt(shiftTimes(advance(job, 1100), 50), 1249), 'active')
  t.same(shiftTimes(advance(job, 1100), 50).statusTrack, [
    ...at(1050),
    { trackedAt: 1150, status: 'active' },
  ])
  const again = { _id: 'j', status: 'submitted', statusTrack: [...at(1), null, ...at(500)] }
  t.same(shiftTimes(again as JsonObject, 50).statusTrack, [...at(1), null, ...at(550)])
  for (const still of [advance(job, 1200), { _id: 'j', status: 'submitted' }, { _id: 'j' }])
    t.equal(shiftTimes(still, 50), still)
})

t.test('what goes by the clock goes on from a snapshot as if no time had passed', async (t) => {
  let now = 1_000_000
  t.intercept(Date, 'now', { value: () => now })
  const jobs = [
    { _id: 'b', status: 'pre-submission' },
    { _id: 'c', status: 'pre-submission' },
  ]
  const store = new Store(validateFixtures({ jobs }), { jobDuration: 100, sessionTtl: 0.5 })
  const collection = store.collections.get('jobs')
  const find = (id: string) => collection?.findById(id, everything)
  const submit = (id: string) => {
    const entry = find(id)
    if (entry !== undefined) collection?.replace(entry, submitJob(entry.item, now))
  }
  const statuses = () => ['b', 'c'].map((id) => find(id)?.item.status).join()
  submit('b')
  const token = store.sessions.open('demo')
  now += 60
  store.snapshots.take('on its way')
  now += 10_000
  t.equal(statuses(), 'finished,pre-submission')
  for (let count = 0; count < 2; count += 1) {
    store.snapshots.restore('on its way')
    submit('c')
    now += 39
    t.equal(statuses(), 'submitted,submitted')
    now += 1
    t.equal(statuses(), 'active,submitted')
    now += 100
    t.equal(statuses(), 'finished,active')
    t.ok(store.sessions.isOpen('demo', token))
    now += 300
    t.notOk(store.sessions.isOpen('demo', token))
  }
})
