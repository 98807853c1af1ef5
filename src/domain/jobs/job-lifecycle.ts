import { JobNotSubmittable } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { Lifecycle } from '../lifecycle.js'

/**
 * A submitted job becomes active, and then finished, by the clock. Only a submission in its
 * `statusTrack` starts that.
 * @param duration how long a job is submitted, and then how long it is active, in ms
 */
export const jobLifecycle = (duration: number): Lifecycle => ({
  advance: (job, now) =>
    pendingTransitions(job, duration)
      .filter(({ at }) => at <= now)
      .reduce((advanced, { status, at }) => setStatus(advanced, status, at), job),
  nextTransitionAt: (job) => pendingTransitions(job, duration)[0]?.at ?? Infinity,
  shiftTimes,
})

/** Returns a job as it is before its submission. */
export function resetJob(job: JsonObject): JsonObject {
  const fields = Object.entries(job).filter(([name]) => name !== 'statusTrack')
  return { ...Object.fromEntries(fields), status: 'pre-submission' }
}

/**
 * Submits a job.
 * @param now in ms since the epoch
 * @throws JobNotSubmittable unless its status is `pre-submission`
 */
export function submitJob(job: JsonObject, now: number): JsonObject {
  if (job.status !== 'pre-submission')
    throw new JobNotSubmittable(String(job._id), JSON.stringify(job.status ?? null))
  return setStatus(job, 'submitted', now)
}

function shiftTimes(job: JsonObject, ms: number): JsonObject {
  if (ms === 0 || pendingTransitions(job, 0).length === 0) return job
  const track = statusTrackOf(job)
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

/** The transitions that a job has not made yet, in order. */
function pendingTransitions(job: JsonObject, duration: number): readonly Transition[] {
  if (job.status !== 'submitted' && job.status !== 'active') return []
  const submission = statusTrackOf(job).findLast(isSubmission)
  if (submission === undefined) return []
  const finish = { status: 'finished', at: submission.trackedAt + 2 * duration }
  if (job.status === 'active') return [finish]
  return [{ status: 'active', at: submission.trackedAt + duration }, finish]
}

type TimedRecord = JsonObject & { readonly trackedAt: number }

const isTimed = (record: Json): record is TimedRecord =>
  isJsonObject(record) && typeof record.trackedAt === 'number' && record.trackedAt >= 0

const isSubmission = (record: Json): record is TimedRecord =>
  isTimed(record) && record.status === 'submitted'

const statusTrackOf = ({ statusTrack = [] }: JsonObject): readonly Json[] =>
  Array.isArray(statusTrack) ? statusTrack : []

const setStatus = (job: JsonObject, status: string, at: number): JsonObject => ({
  ...job,
  status,
  statusTrack: [...statusTrackOf(job), { trackedAt: at, status }],
  updatedAt: new Date(at).toISOString(),
})
