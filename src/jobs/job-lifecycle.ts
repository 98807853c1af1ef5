import { createHash } from 'node:crypto'

import { LAST_DATE } from '@materials-mock/api'
import { isJsonObject, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { JobNotSubmittable } from '../errors.js'
import { resetUnits } from './run-units.js'

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
 * @param now in ms since the epoch
 * @throws JobNotSubmittable unless it is `pre-submission`
 */
export function submitJob(job: JsonObject, now: number): JsonObject {
  if (job.status !== 'pre-submission')
    throw new JobNotSubmittable(String(job._id), JSON.stringify(job.status ?? null))
  const compute = resetCompute(toObject(job.compute))
  const cluster = toObject(compute.cluster)
  const jid = deriveQueueId(`${String(job._id)} ${now}`, cluster)
  const queued = { ...job, compute: { ...compute, cluster: { ...cluster, jid } } }
  return setStatus(queued, 'submitted', now)
}

export function deriveQueueId(seed: string, { fqdn, hostname }: JsonObject): string {
  const number = createHash('sha256').update(seed).digest().readUInt32BE(0) % 1_000_000
  return `${number}.${String(fqdn ?? hostname ?? DEFAULT_CLUSTER)}`
}

/** The cluster of a job that names no cluster. */
export const DEFAULT_CLUSTER = 'cluster-001.example.com'

/** Removes the data of a former run from the `compute` of a job. */
function resetCompute(used: JsonObject): JsonObject {
  const compute = Object.fromEntries(Object.entries(used).filter(([name]) => name !== 'errors'))
  if (!isJsonObject(compute.cluster)) return compute
  const { jid: __, ...cluster } = compute.cluster
  return { ...compute, cluster }
}

/**
 * Returns a job in progress as one that was submitted some ms later. The records since its submission are
 * shifted, and its units have not run yet. No time is shifted to before 1970, where it would not count.
 */
export function shiftTimes(job: JsonObject, ms: number): JsonObject {
  const track = getStatusTrack(job)
  const submission = track.findLastIndex((each) => isTimed(each) && each.status === 'submitted')
  const shift = (record: Json): Json =>
    isTimed(record) ? { ...record, trackedAt: Math.max(0, record.trackedAt + ms) } : record
  return {
    ...resetUnits(job),
    statusTrack: track.map((record, index) => (index < submission ? record : shift(record))),
  }
}

const isTimed = (record: Json): record is JsonObject & { readonly trackedAt: number } =>
  isJsonObject(record) && typeof record.trackedAt === 'number' && record.trackedAt >= 0

const getStatusTrack = ({ statusTrack = [] }: JsonObject): readonly Json[] =>
  Array.isArray(statusTrack) ? statusTrack : []

export const setStatus = (job: JsonObject, status: string, at: number): JsonObject => ({
  ...job,
  status,
  statusTrack: [...getStatusTrack(job), { trackedAt: at, status }],
  updatedAt: new Date(Math.min(at, LAST_DATE)).toISOString(),
})
