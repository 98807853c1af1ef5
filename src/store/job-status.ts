import { JobNotSubmittable } from '../errors.js'
import { isJsonObject } from '../schemas/json.js'
import type { Json, JsonObject } from '../schemas/json.js'

/** A job that is still to be submitted: in its first status, with nothing tracked. */
export function unsubmitted(job: JsonObject): JsonObject {
  const untracked = Object.entries(job).filter(([name]) => name !== 'statusTrack')
  return { ...Object.fromEntries(untracked), status: 'pre-submission' }
}

/**
 * A job as it is right after it was submitted.
 * @param now in ms since the epoch
 * @throws JobNotSubmittable unless it is still to be submitted
 */
export function submitted(job: JsonObject, now: number): JsonObject {
  if (job.status !== 'pre-submission') {
    throw new JobNotSubmittable(String(job._id), JSON.stringify(job.status ?? null))
  }
  return track(job, 'submitted', now)
}

/**
 * A job as it is at a time: one that was submitted is active after a while and finished after twice
 * that; the same job where nothing is due. Only a submission in `statusTrack` sets a job going.
 * @param now in ms since the epoch
 * @param duration in ms
 */
export const jobAt = (job: JsonObject, now: number, duration: number): JsonObject =>
  stepsOf(job, duration)
    .filter(({ at }) => at <= now)
    .reduce((moved, { status, at }) => track(moved, status, at), job)

/** When a job moves on by itself next, in ms since the epoch; Infinity for never. */
export const nextStep = (job: JsonObject, duration: number): number =>
  stepsOf(job, duration)[0]?.at ?? Infinity

/**
 * A job as if it had been submitted later; the same job where it is not on its way.
 * @param ms how much later
 */
export function postponed(job: JsonObject, ms: number): JsonObject {
  if (ms === 0 || nextStep(job, 0) === Infinity) return job
  const tracked = trackOf(job)
  const start = tracked.findLastIndex(isSubmission)
  const later = (entry: Json): Json =>
    isTracked(entry) ? { ...entry, trackedAt: entry.trackedAt + ms } : entry
  return {
    ...job,
    statusTrack: tracked.map((entry, index) => (index < start ? entry : later(entry))),
  }
}

interface Step {
  readonly status: string
  readonly at: number
}

/** The steps that a job has still to take. */
function stepsOf(job: JsonObject, duration: number): readonly Step[] {
  if (job.status !== 'submitted' && job.status !== 'active') return []
  const submission = trackOf(job).findLast(isSubmission)
  if (submission === undefined) return []
  const finish = { status: 'finished', at: submission.trackedAt + 2 * duration }
  if (job.status === 'active') return [finish]
  return [{ status: 'active', at: submission.trackedAt + duration }, finish]
}

type Tracked = JsonObject & { trackedAt: number }

const isTracked = (entry: Json): entry is Tracked =>
  isJsonObject(entry) && typeof entry.trackedAt === 'number' && entry.trackedAt >= 0

const isSubmission = (entry: Json): entry is Tracked =>
  isTracked(entry) && entry.status === 'submitted'

const trackOf = ({ statusTrack = [] }: JsonObject): readonly Json[] =>
  Array.isArray(statusTrack) ? statusTrack : []

const track = (job: JsonObject, status: string, at: number): JsonObject => ({
  ...job,
  status,
  statusTrack: [...trackOf(job), { trackedAt: at, status }],
  updatedAt: new Date(at).toISOString(),
})
