import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import { resetJob } from './job-lifecycle.js'
import { resetUnits } from './run-units.js'
import { findObjects, listUnits } from './units.js'

/** The times of a job's own records are in ms, those of its units in s. */
const MS_OF_UNITS = 1000

/**
 * Returns the time of the first change of a job or of one of its units after a time; Infinity if there is
 * none. Both are in ms since the epoch.
 */
export function nextChangeAt(job: JsonObject, at: number): number {
  const tracks: [JsonObject, number][] = [
    [job, 1],
    ...listUnits(job).map(({ unit }): [JsonObject, number] => [unit, MS_OF_UNITS]),
  ]
  const times = tracks.flatMap(([tracked, ms]) =>
    findObjects(tracked, 'statusTrack').map(({ trackedAt }) => Number(trackedAt) * ms),
  )
  return times.filter((time) => time > at).reduce((first, time) => Math.min(first, time), Infinity)
}

/**
 * Returns a job as it was at an earlier time, by the records of its `statusTrack` and those of its units.
 * A unit without records has not run before the job's end.
 * @param at in ms since the epoch
 */
export function jobAt(job: JsonObject, at: number): JsonObject {
  if (nextChangeAt(job, at) === Infinity) return job
  const own = trackAt(job, at, 1, 'pre-submission')
  if (own.status === 'pre-submission') return { ...resetJob(job, at), ...own }
  const { scopeTrack, ...idle } = resetUnits(job)
  const { errors: _, ...compute } = isJsonObject(job.compute) ? job.compute : {}
  const past = { ...idle, ...own, ...(isJsonObject(job.compute) && { compute }) }
  if (own.status === 'submitted' || !isJsonObject(job.workflow)) return past
  return {
    ...past,
    workflow: workflowAt(job.workflow, at),
    ...(Array.isArray(scopeTrack) && {
      scopeTrack: scopeTrack.slice(0, countRepetitions(job, at)),
    }),
  }
}

/** Returns the `status` and the `statusTrack` of a job or unit at a time. */
function trackAt(tracked: JsonObject, at: number, ms: number, first: string): JsonObject {
  const statusTrack = findObjects(tracked, 'statusTrack').filter(
    ({ trackedAt }) => typeof trackedAt !== 'number' || trackedAt * ms <= at,
  )
  return { status: statusTrack.at(-1)?.status ?? first, statusTrack }
}

/** Returns a workflow or subworkflow with its units as they were at a time. */
function workflowAt(workflow: JsonObject, at: number): JsonObject {
  const units = findObjects(workflow, 'units').map((unit) => ({
    ...unit,
    ...trackAt(unit, at, MS_OF_UNITS, 'idle'),
  }))
  const subworkflows = findObjects(workflow, 'subworkflows').map((each) => workflowAt(each, at))
  return {
    ...workflow,
    ...(units.length > 0 && { units }),
    ...(subworkflows.length > 0 && { subworkflows }),
  }
}

/** Counts the repetitions of a loop that had ended at a time, by the unit that has the loop's result. */
const countRepetitions = (job: JsonObject, at: number): number =>
  listUnits(job)
    .filter(({ unit }) => Array.isArray(unit.tags) && unit.tags.includes('hasConvergenceResult'))
    .flatMap(({ unit }) => findObjects(trackAt(unit, at, MS_OF_UNITS, ''), 'statusTrack'))
    .filter(({ status }) => status === 'finished').length
