import { BodyInvalid, isJsonObject, quote, toObject, withoutUndefined } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { completeJob } from '../../jobs/complete-job.js'
import type { RelatedItems } from '../../jobs/complete-job.js'
import { deriveQueueId } from '../../jobs/job-lifecycle.js'
import { planRun } from '../../jobs/job-run.js'
import { completeCommonFields } from './common-fields.js'
import type { SeedContext } from './common-fields.js'
import { completeWorkflow } from './complete-workflow.js'

/** The time between two records of an ended job, in ms. */
const STEP = 90_000

/** The statuses that a job has before each status. Other statuses follow the first. */
const TRACKS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    'pre-submission': [],
    submitted: ['submitted'],
    active: ['submitted', 'active'],
  }),
)

/** The statuses that an outcome decides between. */
const ENDS: ReadonlySet<string> = new Set(['finished', 'error'])

/**
 * Adds the records of its status. Without any workflow of the account, it gets a new one. A
 * submitted job counts as submitted now, and an active one is in the middle of its units.
 * @throws BodyInvalid for unknown references, and for a status that contradicts the `statusTrack`
 * or the `outcome`
 */
export function completeSeededJob(
  item: JsonObject & { readonly status?: string },
  context: SeedContext,
  related: RelatedItems,
): JsonObject {
  const { status, statusTrack } = item
  const common = completeCommonFields({ ...createTimes(item, context), ...item }, context)
  const last = findLastStatus(item)
  if (status !== undefined && last !== undefined && status !== last) {
    throw new BodyInvalid(
      `status must be ${quote(last)}, the last status of statusTrack, not ${quote(status)}`,
    )
  }
  const final = status ?? last ?? 'pre-submission'
  const { status: outcome } = toObject(item.outcome)
  if (outcome !== undefined && outcome !== final && ENDS.has(final)) {
    throw new BodyInvalid(
      `status must be ${quote(outcome)}, as the outcome has it, not ${quote(final)}`,
    )
  }
  const created = Date.parse(String(common.createdAt))
  const name = item.name ?? `Job ${context.index + 1}`
  const findDefault = (of: string): JsonObject | undefined =>
    related.findDefault(of) ??
    (of === 'workflows' ? completeWorkflow({}, { ...context, resource: of, index: 0 }) : undefined)
  const job = completeJob({ ...common, name }, { ...related, findDefault }, created)
  const queued = { ...job, compute: completeCompute(job, final, context) }
  if (statusTrack === undefined && ENDS.has(final)) return endJob(queued, final, created)
  return {
    ...queued,
    status: final,
    statusTrack: statusTrack ?? createTrack(final, created, context),
  }
}

/** Returns when a job was made that waits or runs now: shortly before. */
function createTimes(
  { status, statusTrack }: JsonObject,
  { now, jobDuration }: SeedContext,
): JsonObject {
  if (statusTrack !== undefined || (status !== 'submitted' && status !== 'active')) return {}
  const submittedAt = status === 'active' ? now - Math.round(1.5 * jobDuration) : now
  const time = new Date(Math.max(0, submittedAt)).toISOString()
  return { createdAt: time, updatedAt: time }
}

function findLastStatus({ statusTrack }: JsonObject): string | undefined {
  const record = Array.isArray(statusTrack) ? statusTrack.at(-1) : undefined
  return isJsonObject(record) && typeof record.status === 'string' ? record.status : undefined
}

function createTrack(
  status: string,
  created: number,
  { now, jobDuration }: SeedContext,
): JsonObject[] {
  if (status === 'active') {
    const activeAt = now - Math.round(jobDuration / 2)
    return [
      { trackedAt: Math.min(created, activeAt - jobDuration), status: 'pre-submission' },
      { trackedAt: activeAt - jobDuration, status: 'submitted' },
      { trackedAt: activeAt, status: 'active' },
    ]
  }
  const track = TRACKS.get(status) ?? [status]
  return [
    { trackedAt: created, status: 'pre-submission' },
    ...track.map((each, index) => ({
      trackedAt: status === 'submitted' ? now : created + (index + 1) * STEP,
      status: each,
    })),
  ]
}

/** Runs a job to its end: its units have run, and the failure of an outcome is in `compute.errors`. */
function endJob(job: JsonObject, status: string, createdAt: number): JsonObject {
  const created = Math.max(0, createdAt) // a time before 1970 does not count
  const submitted: JsonObject = {
    ...job,
    outcome: { ...toObject(job.outcome), status },
    status: 'submitted',
    statusTrack: [
      { trackedAt: created, status: 'pre-submission' },
      { trackedAt: created + STEP, status: 'submitted' },
    ],
  }
  const ended = planRun(submitted, STEP)?.whole ?? submitted
  return withoutUndefined({ ...ended, outcome: job.outcome, updatedAt: job.updatedAt })
}

/** A job that was submitted has an id of its queue. */
function completeCompute(job: JsonObject, status: string, context: SeedContext): JsonObject {
  const compute = toObject(job.compute)
  const cluster = toObject(compute.cluster)
  if (status === 'pre-submission') return compute
  const jid = deriveQueueId(`${context.seed} ${context.index}`, cluster)
  return { ...compute, cluster: { jid, ...cluster } }
}
