import { createHash } from 'node:crypto'

import { JobNotSubmittable } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { Lifecycle } from '../lifecycle.js'
import { findOutcome } from './job-outcome.js'

/**
 * Creates the lifecycle of jobs: a submitted job becomes active, and then finished, or `error` if its
 * outcome says so, as time passes. Only jobs whose `statusTrack` has a submission change.
 * @param duration how long a job is submitted, and then how long it is active, in ms
 */
export const createJobLifecycle = (duration: number): Lifecycle => ({
  advance: (job, now) =>
    findPendingTransitions(job, duration)
      .filter(({ at }) => at <= now)
      .reduce((advanced, { status, at }) => enterStatus(advanced, status, at), job),
  nextTransitionAt: (job) => findPendingTransitions(job, duration)[0]?.at ?? Infinity,
  shiftTimes,
})

/**
 * Returns a job in the state before its submission.
 * @param now in ms since the epoch
 */
export const resetJob = (job: JsonObject, now: number): JsonObject => ({
  ...job,
  ...(isJsonObject(job.compute) && { compute: resetCompute(job.compute) }),
  status: 'pre-submission',
  statusTrack: [{ trackedAt: now, status: 'pre-submission' }],
})

/**
 * Submits a job. The queue of its cluster gives it an id, `compute.cluster.jid`.
 * @param now in ms since the epoch
 * @throws JobNotSubmittable unless its status is `pre-submission`
 */
export function submitJob(job: JsonObject, now: number): JsonObject {
  if (job.status !== 'pre-submission')
    throw new JobNotSubmittable(String(job._id), JSON.stringify(job.status ?? null))
  const compute = isJsonObject(job.compute) ? job.compute : {}
  const cluster = isJsonObject(compute.cluster) ? compute.cluster : {}
  const jid = deriveQueueId(`${String(job._id)} ${now}`, cluster)
  const queued = { ...job, compute: { ...compute, cluster: { ...cluster, jid } } }
  return setStatus(queued, 'submitted', now)
}

/** Returns a job that ended with an error. */
export const failJob = (job: JsonObject, message: string): JsonObject => ({
  ...job,
  status: 'error',
  compute: {
    ...(isJsonObject(job.compute) ? job.compute : {}),
    errors: [{ domain: 'rupy', reason: 'JobFailed', message }],
  },
  statusTrack: getStatusTrack(job).map((record, index, track) =>
    isJsonObject(record) && index === track.length - 1 ? { ...record, status: 'error' } : record,
  ),
})

/** Returns an id as a queueing system gives it: a number, and the host of the queue. */
export function deriveQueueId(seed: string, { fqdn, hostname }: JsonObject): string {
  const number = createHash('sha256').update(seed).digest().readUInt32BE(0) % 1_000_000
  return `${number}.${String(fqdn ?? hostname ?? DEFAULT_CLUSTER)}`
}

/** The cluster of a job that names none. */
export const DEFAULT_CLUSTER = 'cluster-001.example.com'

/** Removes what a run has left in the `compute` of a job. */
function resetCompute(used: JsonObject): JsonObject {
  const compute = Object.fromEntries(Object.entries(used).filter(([name]) => name !== 'errors'))
  if (!isJsonObject(compute.cluster)) return compute
  const { jid: __, ...cluster } = compute.cluster
  return { ...compute, cluster }
}

/** Shifts the times of the last submission and of all later records. */
function shiftTimes(job: JsonObject, ms: number): JsonObject {
  if (ms === 0 || findPendingTransitions(job, 0).length === 0) return job
  const track = getStatusTrack(job)
  const submission = track.findLastIndex(isSubmission)
  const shift = (record: Json): Json =>
    isTimed(record) ? { ...record, trackedAt: record.trackedAt + ms } : record
  return {
    ...job,
    statusTrack: track.map((record, index) => (index < submission ? record : shift(record))),
  }
}

interface Transition {
  readonly status: string
  /** In ms since the epoch. */
  readonly at: number
}

/** Returns the transitions that a job has not made yet, in order. */
function findPendingTransitions(job: JsonObject, duration: number): readonly Transition[] {
  if (job.status !== 'submitted' && job.status !== 'active') return []
  const submission = getStatusTrack(job).findLast(isSubmission)
  if (submission === undefined) return []
  const finish = { status: 'finished', at: submission.trackedAt + 2 * duration }
  if (job.status === 'active') return [finish]
  return [{ status: 'active', at: submission.trackedAt + duration }, finish]
}

/** A job with an outcome of its own may end with an error in place of success. */
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
