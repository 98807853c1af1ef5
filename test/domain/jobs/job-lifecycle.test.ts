import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'
import t from 'tap'

import { createJobLifecycle, resetJob, submitJob } from '../../../src/domain/jobs/job-lifecycle.js'
import type { JsonObject } from '../../../src/json/json.js'

const { advance, nextTransitionAt, shiftTimes } = createJobLifecycle(100)

/** Returns a status track with one submission. */
const trackOf = (trackedAt: unknown) => [{ trackedAt, status: 'submitted' }] as JsonObject[]

const statusAt = (job: JsonObject, now: number): unknown => advance(job, now).status

t.test(
  'a submitted job is active after the duration, and finished after twice the duration',
  async (t) => {
    const job = submitJob({ _id: 'j', status: 'pre-submission' }, 1000)
    t.same(job.statusTrack, [{ trackedAt: 1000, status: 'submitted' }])
    t.equal(advance(job, 1099), job, 'no transition is due')
    t.same(
      [1100, 1199, 1200, 9999].map((now) => statusAt(job, now)),
      ['active', 'active', 'finished', 'finished'],
    )
    const active = advance(job, 1150)
    t.equal(active.updatedAt, new Date(1100).toISOString())
    t.same(
      advance(active, 1200),
      advance(job, 1200),
      'the same result whether or not it was read in between',
    )
    t.same(
      [job, active, advance(job, 1200)].map((each) => nextTransitionAt(each)),
      [1100, 1200, Infinity],
    )
  },
)

t.test('only a submitted job has transitions', async (t) => {
  const unchanging: JsonObject[] = [
    { _id: 'j', status: 'submitted' },
    { _id: 'j', status: 'active', statusTrack: [] },
    { _id: 'j', status: 'active', statusTrack: 'none' },
    { _id: 'j', status: 'submitted', statusTrack: [null, { trackedAt: 1, status: 'active' }] },
    { _id: 'j', status: 'submitted', statusTrack: trackOf('1') },
    { _id: 'j', status: 'submitted', statusTrack: trackOf(-1e300) },
    { _id: 'j', status: 'submitted', statusTrack: trackOf(1e300) },
    { _id: 'j', status: 'terminated', statusTrack: trackOf(1) },
    { _id: 'j' },
  ]
  for (const job of unchanging) t.equal(advance(job, 1e12), job, JSON.stringify(job))
  const again = { _id: 'j', status: 'submitted', statusTrack: [...trackOf(1), ...trackOf(500)] }
  t.equal(statusAt(again, 599), 'submitted', 'the last submission counts')
  t.throws(() => submitJob({ _id: 'j', status: 'finished' }, 1), { code: 'JOB_NOT_SUBMITTABLE' })
  t.match(resetJob(advance(again, 1e12), 7), {
    status: 'pre-submission',
    statusTrack: [{ trackedAt: 7, status: 'pre-submission' }],
  })
})

t.test('the pending transitions of a job can be postponed', async (t) => {
  const job = submitJob({ _id: 'j', status: 'pre-submission' }, 1000)
  t.same(shiftTimes(job, 50), { ...job, statusTrack: trackOf(1050) })
  t.same(statusAt(shiftTimes(advance(job, 1100), 50), 1249), 'active')
  t.same(shiftTimes(advance(job, 1100), 50).statusTrack, [
    ...trackOf(1050),
    { trackedAt: 1150, status: 'active' },
  ])
  t.same(shiftTimes(advance(job, 1100), -5000).statusTrack, [
    ...trackOf(0),
    { trackedAt: 0, status: 'active' },
  ])
  const again = {
    _id: 'j',
    status: 'submitted',
    statusTrack: [...trackOf(1), null, ...trackOf(500)],
  }
  t.same(shiftTimes(again as JsonObject, 50).statusTrack, [...trackOf(1), null, ...trackOf(550)])
  for (const each of [advance(job, 1200), { _id: 'j', status: 'submitted' }, { _id: 'j' }])
    t.equal(shiftTimes(each, 50), each)
})

/** A job with three units in two subworkflows. */
const WORKING = {
  _id: 'j',
  status: 'pre-submission',
  workflow: {
    units: [
      { _id: 's0', type: 'subworkflow', flowchartId: 'f0', head: true, next: 'f1' },
      { _id: 's1', type: 'subworkflow', flowchartId: 'f1' },
    ],
    subworkflows: [
      { _id: 's0', units: ['a', 'b'].map((name) => ({ name, type: 'execution', status: 'idle' })) },
      { _id: 's1', units: [{ name: 'c', type: 'execution', status: 'idle' }] },
    ],
  },
}

const run = (start: number, elapsed: number): JsonObject =>
  advance(submitJob(WORKING, start), start + elapsed)

t.test('a job whose times are shifted is as one that was submitted then', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 199 }),
      fc.integer({ min: -900, max: 900 }),
      (elapsed, ms) => {
        const shifted = shiftTimes(run(1000, elapsed), ms)
        const later = run(1000 + ms, elapsed)
        // The queue's id and the time of the change stay those of the real submission.
        const { compute, updatedAt } = shifted
        return isDeepStrictEqual(shifted, { ...later, compute, updatedAt })
      },
    ),
  )
})
