import { createHash } from 'node:crypto'

import { JobNotSubmittable } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { findOutcome } from '../items/job.js'
import { findLastUnitChange, planUnits, resetUnits, runUnits } from './run-units.js'
import type { RunTimes, UnitRun } from './run-units.js'

/**
 * Creates the lifecycle of jobs. With time, a submitted job becomes active, its units run one after the
 * other, and it becomes `finished`, or `error` if its outcome says so. Only jobs whose `statusTrack`
 * has a submission change.
 * @param duration the times that a job is submitted and active, in ms each
 */
export const createJobLifecycle = (duration: number): Lifecycle => ({
  advance: (job, now) => {
    const times = findRunTimes(job, duration)
    if (times === undefined) return job
    const due = findPendingTransitions(job, times).filter(({ at }) => at <= now)
    if (due.length === 0 && nextUnitChange(job, times) > now) return job
    const ran = runTo(job, times, now)
    return due.reduce((each, { status, at }) => enterStatus(each, status, at), ran)
  },
  nextTransitionAt: (job) => {
    const times = findRunTimes(job, duration)
    if (times === undefined) return Infinity
    const [next] = findPendingTransitions(job, times)
    return Math.min(next?.at ?? Infinity, nextUnitChange(job, times))
  },
  endsAt: (job) => findRunTimes(job, duration)?.endsAt ?? Infinity,
  shiftTimes: (job, ms) => shiftTimes(job, ms, duration),
})

/**
 * Returns the times at which a job in progress runs; undefined for other jobs.
 * @param duration the times that a job is submitted and active, in ms each
 */
function findRunTimes(job: JsonObject, duration: number): RunTimes | undefined {
  if (job.status !== 'submitted' && job.status !== 'active') return undefined
  const submission = getStatusTrack(job).findLast(isSubmission)
  if (submission === undefined) return undefined
  const { trackedAt: submittedAt } = submission
  return { submittedAt, activeAt: submittedAt + duration, endsAt: submittedAt + 2 * duration }
}

/**
 * Returns the runs of the units of a job in progress; an empty list for other jobs.
 * @param duration the times that a job is submitted and active, in ms each
 */
export function planJob(job: JsonObject, duration: number): readonly UnitRun[] {
  const times = findRunTimes(job, duration)
  return times === undefined ? [] : planUnits(job, times, findFailure(job))
}

/** Returns a job with its units as they are at a time in ms since the epoch. */
const runTo = (job: JsonObject, times: RunTimes, now: number): JsonObject =>
  runUnits(job, planUnits(job, times, findFailure(job)), times, now)

/** Returns how a job fails, if its outcome is a failure. */
function findFailure(job: JsonObject): { readonly unit?: string } | undefined {
  const { status, unit } = findOutcome(job)
  return status === 'error' ? { ...(unit !== undefined && { unit }) } : undefined
}

/** Returns the time at which the next unit of an active job starts or ends. */
function nextUnitChange(job: JsonObject, times: RunTimes): number {
  if (job.status !== 'active') return Infinity
  const last = findLastUnitChange(job)
  const changes = planUnits(job, times, findFailure(job)).flatMap(({ startsAt, endsAt }) => [
    startsAt,
    endsAt,
  ])
  return changes.find((at) => at > last) ?? Infinity
}

/**
 * Returns a job in the state before its submission.
 * @param now in ms since the epoch
 */
export function resetJob(job: JsonObject, now: number): JsonObject {
  const { scopeTrack: _, ...fields } = resetUnits(job)
  return {
    ...fields,
    ...(isJsonObject(job.compute) && { compute: resetCompute(job.compute) }),
    status: 'pre-submission',
    statusTrack: [{ trackedAt: now, status: 'pre-submission' }],
  }
}

/**
 * Submits a job. The queue of its cluster gives it an id, `compute.cluster.jid`.
 * @param now in ms since the epoch
 * @throws JobNotSubmittable unless its status is `pre-submission`
 */
export function submitJob(job: JsonObject, now: number): JsonObject {
  if (job.status !== 'pre-submission')
    throw new JobNotSubmittable(String(job._id), JSON.stringify(job.status ?? null))
  const compute = isJsonObject(job.compute) ? resetCompute(job.compute) : {}
  const cluster = isJsonObject(compute.cluster) ? compute.cluster : {}
  const jid = deriveQueueId(`${String(job._id)} ${now}`, cluster)
  const queued = { ...job, compute: { ...compute, cluster: { ...cluster, jid } } }
  return setStatus(queued, 'submitted', now)
}

/** Returns a job that ended with an error, with an error in the last unit that executes a program. */
export const failJob = (job: JsonObject, message: string): JsonObject => ({
  ...failUnits(job),
  status: 'error',
  compute: {
    ...(isJsonObject(job.compute) ? job.compute : {}),
    errors: [{ domain: 'rupy', reason: 'JobFailed', message }],
  },
  statusTrack: getStatusTrack(job).map((record, index, track) =>
    isJsonObject(record) && index === track.length - 1 ? { ...record, status: 'error' } : record,
  ),
})

/** Returns an id like a queueing system's: a number and the host of the queue. */
export function deriveQueueId(seed: string, { fqdn, hostname }: JsonObject): string {
  const number = createHash('sha256').update(seed).digest().readUInt32BE(0) % 1_000_000
  return `${number}.${String(fqdn ?? hostname ?? DEFAULT_CLUSTER)}`
}

/** The cluster of a job that names no cluster. */
export const DEFAULT_CLUSTER = 'cluster-001.example.com'

/** Returns a job that has run with an error in its failing unit. No unit runs after it. */
function failUnits(job: JsonObject): JsonObject {
  const track = getStatusTrack(job)
  const submission = track.findLast(isSubmission)
  const [activeAt, endsAt] = ['active', job.status].map(
    (status) => track.findLast((each) => isTimed(each) && each.status === status) as TimedRecord,
  )
  if (submission === undefined || activeAt === undefined || endsAt === undefined) return job
  const times = {
    submittedAt: submission.trackedAt,
    activeAt: activeAt.trackedAt,
    endsAt: endsAt.trackedAt,
  }
  const failure = findFailure(job) ?? {}
  return runUnits(job, planUnits(job, times, failure), times, times.endsAt)
}

/** Removes the data of a former run from the `compute` of a job. */
function resetCompute(used: JsonObject): JsonObject {
  const compute = Object.fromEntries(Object.entries(used).filter(([name]) => name !== 'errors'))
  if (!isJsonObject(compute.cluster)) return compute
  const { jid: __, ...cluster } = compute.cluster
  return { ...compute, cluster }
}

/**
 * Shifts the times of the last submission and of all later records, including the records of units. No
 * time is shifted to before 1970, where it would not count.
 */
function shiftTimes(job: JsonObject, ms: number, duration: number): JsonObject {
  if (ms === 0 || findRunTimes(job, duration) === undefined) return job
  const track = getStatusTrack(job)
  const submission = track.findLastIndex(isSubmission)
  const shift = (record: Json): Json =>
    isTimed(record) ? { ...record, trackedAt: Math.max(0, record.trackedAt + ms) } : record
  const shifted = {
    ...job,
    statusTrack: track.map((record, index) => (index < submission ? record : shift(record))),
  }
  const times = findRunTimes(shifted, duration)
  if (times === undefined || job.status !== 'active') return shifted
  return runTo(shifted, times, findLastUnitChange(job) + ms)
}

interface Transition {
  readonly status: string
  /** The time in ms since the epoch. */
  readonly at: number
}

/** Returns the transitions that a job in progress has not made yet, in order. */
function findPendingTransitions(
  job: JsonObject,
  { activeAt, endsAt }: RunTimes,
): readonly Transition[] {
  const finish = { status: 'finished', at: endsAt }
  return job.status === 'active' ? [finish] : [{ status: 'active', at: activeAt }, finish]
}

/** A job with an outcome may end with an error instead of success. */
function enterStatus(job: JsonObject, status: string, at: number): JsonObject {
  const entered = setStatus(job, status, at)
  const { status: last, message = 'the job failed' } = findOutcome(job)
  return status === 'finished' && last === 'error' ? failJob(entered, message) : entered
}

type TimedRecord = JsonObject & { readonly trackedAt: number }

const isTimed = (record: Json): record is TimedRecord =>
  isJsonObject(record) && typeof record.trackedAt === 'number' && record.trackedAt >= 0

const isSubmission = (record: Json): record is TimedRecord =>
  isTimed(record) && record.status === 'submitted'

const getStatusTrack = ({ statusTrack = [] }: JsonObject): readonly Json[] =>
  Array.isArray(statusTrack) ? statusTrack : []

const setStatus = (job: JsonObject, status: string, at: number): JsonObject => ({
  ...job,
  status,
  statusTrack: [...getStatusTrack(job), { trackedAt: at, status }],
  updatedAt: new Date(at).toISOString(),
})

/** The changes of a resource's items with time. Times are in ms since the epoch. */
export interface Lifecycle {
  /** Applies all transitions up to now. Returns the same item if none is due. */
  readonly advance: (item: JsonObject, now: number) => JsonObject
  /** Returns the time of the next transition; Infinity if there is none. */
  readonly nextTransitionAt: (item: JsonObject) => number
  /** Returns the time of the last transition; Infinity if there is none. */
  readonly endsAt: (item: JsonObject) => number
  /** Shifts all times of the transitions in progress by some ms. */
  readonly shiftTimes: (item: JsonObject, ms: number) => JsonObject
}
