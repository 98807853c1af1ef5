import t from 'tap'

import { createJobLifecycle, submitJob } from '../../src/domain/jobs/job-lifecycle.js'
import { validateFixtures } from '../../src/fixtures/load-fixtures.js'
import { Store } from '../../src/store/store.js'
import { Scheduler } from '../../src/work/scheduler.js'
import { TimedCollection } from '../../src/store/timed-collection.js'

const allVisible = () => true

t.test(
  'a timed collection applies the transitions that are due, and writes nothing else',
  async (t) => {
    const jobs = new TimedCollection(
      'jobs',
      [{ _id: 'a' }, { _id: 'b', status: 'pre-submission' }],
      createJobLifecycle(100),
      new Scheduler(),
    )
    const { version } = jobs
    jobs.advance(Date.now())
    t.equal(jobs.version, version)
    const entry = jobs.findById('b', allVisible)
    if (entry === undefined) return t.fail('b must be found')
    const start = Date.now() + 60_000
    jobs.replace(entry, submitJob(entry.item, start))
    const saved = jobs.save()
    const status = () => jobs.findById('b', allVisible)?.item.status
    t.equal(status(), 'submitted')
    jobs.advance(start + 150)
    t.equal(status(), 'active')
    jobs.advance(start + 200)
    t.equal(status(), 'finished')
    jobs.restore(saved)
    t.equal(status(), 'submitted', 'all state is in the items')
    jobs.advance(start + 100)
    t.equal(status(), 'active')
  },
)

t.test('jobs and sessions continue from a snapshot as if no time had passed', async (t) => {
  let now = 1_000_000
  t.intercept(Date, 'now', { value: () => now })
  const jobs = [
    { _id: 'b', status: 'pre-submission' },
    { _id: 'c', status: 'pre-submission' },
  ]
  const store = new Store(validateFixtures({ jobs }), { jobDuration: 100, sessionTtl: 0.5 })
  const collection = store.collections.get('jobs')
  const find = (id: string) => collection?.findById(id, allVisible)
  const submit = (id: string) => {
    const entry = find(id)
    if (entry !== undefined) collection?.replace(entry, submitJob(entry.item, now))
  }
  const statuses = () => ['b', 'c'].map((id) => find(id)?.item.status).join()
  submit('b')
  const token = store.sessions.open('demo')
  now += 60
  store.snapshots.take('submitted')
  now += 10_000
  t.equal(statuses(), 'finished,pre-submission')
  for (let count = 0; count < 2; count += 1) {
    store.snapshots.restore('submitted')
    submit('c')
    now += 39
    t.equal(statuses(), 'submitted,submitted')
    now += 1
    t.equal(statuses(), 'active,submitted')
    now += 100
    t.equal(statuses(), 'finished,active')
    t.ok(store.sessions.isValid('demo', token))
    now += 300
    t.notOk(store.sessions.isValid('demo', token))
  }
})
