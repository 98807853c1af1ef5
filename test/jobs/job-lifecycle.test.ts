import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { resetJob, shiftTimes, submitJob } from '../../src/jobs/job-lifecycle.js'
import { describeRun, lookBack, planRun, shownAt } from '../../src/jobs/job-run.js'

const DURATION = 100

/** Returns a status track with one submission. */
const trackOf = (trackedAt: unknown) => [{ trackedAt, status: 'submitted' }] as JsonObject[]

/** Returns a job at a time; the same item if it does not run. */
function advance(job: JsonObject, now: number): JsonObject {
  const run = planRun(job, DURATION)
  return run === undefined ? job : shownAt(job, run, now)
}

const statusAt = (job: JsonObject, now: number): unknown => advance(job, now).status

t.test(
  'a submitted job is active after the duration, and finished after twice the duration',
  async (t) => {
    const job = submitJob({ _id: 'j', status: 'pre-submission' }, 1000)
    t.same(job.statusTrack, [{ trackedAt: 1000, status: 'submitted' }])
    t.equal(advance(job, 1099), job, 'it is as it was written')
    t.equal(advance(job, 0), job, 'also before its submission')
    t.same(
      [1100, 1199, 1200, 9999].map((now) => statusAt(job, now)),
      ['active', 'active', 'finished', 'finished'],
    )
    const active = advance(job, 1150)
    t.equal(active.updatedAt, new Date(1100).toISOString())
    t.same(
      advance(active, 1200),
      advance(job, 1200),
      'the same result whether or not it was written in between',
    )
  },
)

t.test('only a submitted job runs', async (t) => {
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
  const active = { _id: 'j', status: 'active', statusTrack: trackOf(1000) }
  t.same(
    [1000, 1100, 1200].map((now) => statusAt(active, now)),
    ['active', 'active', 'finished'],
    'without a record of its start',
  )
  t.throws(() => submitJob({ _id: 'j', status: 'finished' }, 1), { code: 'JOB_NOT_SUBMITTABLE' })
  t.match(resetJob(advance(again, 1e12), 7), {
    status: 'pre-submission',
    statusTrack: [{ trackedAt: 7, status: 'pre-submission' }],
  })
})

t.test('a job can be submitted later', async (t) => {
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
})

/** A job with three units in two subworkflows. */
const WORKING = {
  _id: 'j',
  status: 'pre-submission',
  workflow: {
    units: [
      { _id: 's0', type: 'subworkflow', status: 'idle', flowchartId: 'f0', head: true, next: 'f1' },
      { _id: 's1', type: 'subworkflow', status: 'idle', flowchartId: 'f1' },
    ],
    subworkflows: [
      { _id: 's0', units: ['a', 'b'].map((name) => ({ name, type: 'execution', status: 'idle' })) },
      { _id: 's1', units: [{ name: 'c', type: 'execution', status: 'idle' }] },
    ],
  },
}

const run = (start: number, elapsed: number): JsonObject =>
  advance(submitJob(WORKING, start), start + elapsed)

t.test('a job that is submitted later is as one that was submitted then', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 199 }),
      fc.integer({ min: -900, max: 900 }),
      (elapsed, ms) => {
        const shifted = advance(shiftTimes(run(1000, elapsed), ms), 1000 + ms + elapsed)
        const later = run(1000 + ms, elapsed)
        // The queue's id and the time of the change stay those of the real submission.
        const { compute, updatedAt } = shifted
        return isDeepStrictEqual(shifted, { ...later, compute, updatedAt })
      },
    ),
  )
})

/** Returns what a look back shows of a job. */
function seen(written: JsonObject, now: number): unknown {
  const looked = lookBack(written, planRun(written, DURATION))
  const { status, statusTrack, workflow } = looked ? shownAt(written, looked, now) : written
  return { status, statusTrack, workflow }
}

t.test('a job is looked back at by its records, also after it was written again', async (t) => {
  const job = submitJob(WORKING, 1000)
  const times = Array.from({ length: 30 }, (_, index) => 990 + 10 * index)
  for (const writtenAt of [1000, 1110, 1150, 1190, 1200]) {
    const written = advance(job, writtenAt)
    for (const now of times) t.same(seen(written, now), seen(job, now), `${writtenAt}: at ${now}`)
  }
  t.equal(lookBack({ _id: 'j', status: 'finished' }, undefined), undefined)
})

const at = (ms: number): string => new Date(ms).toISOString()

t.test('a life is described by the records of the whole job', async (t) => {
  const { whole } = planRun(submitJob(WORKING, 1000), 300) ?? {}
  const ends = ['a', 'b', 'c'].map((name, index) => ({
    name,
    startsAt: at(1300 + 100 * index),
    endsAt: at(1400 + 100 * index),
    status: 'finished',
  }))
  t.same(describeRun(whole ?? {}), {
    submittedAt: at(1000),
    activeAt: at(1300),
    endsAt: at(1600),
    units: ends,
  })
  const never = { submittedAt: null, activeAt: null, endsAt: null, units: [] }
  t.same(describeRun(WORKING), never)
  t.same(describeRun(resetJob(WORKING, 1000)), never)
  const active = { statusTrack: [...trackOf(1000), { status: 'active', trackedAt: 1100 }] }
  t.same(describeRun(active), { ...never, submittedAt: at(1000), activeAt: at(1100) })
})
