import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import { resetJob } from './job-lifecycle.js'
import { resetUnits } from './run-units.js'
import { findObjects, listUnits, mapUnits } from './units.js'

/** The times of a job's own records are in ms, those of its units in s. */
const MS_OF_UNITS = 1000

/**
 * Returns the time of the first change of a job or of one of its units after a time; Infinity if there is
 * none. Both are in ms since the epoch.
 */
export function nextChangeAt(job: JsonObject, at: number): number {
  const ofUnits = listUnits(job).flatMap(({ unit }) => listTimes(unit, MS_OF_UNITS))
  return [...listTimes(job, 1), ...ofUnits]
    .filter((time) => time > at)
    .reduce((first, time) => Math.min(first, time), Infinity)
}

const listTimes = (tracked: JsonObject, ms: number): number[] =>
  findObjects(tracked, 'statusTrack').map(({ trackedAt }) => Number(trackedAt) * ms)

/**
 * Returns a job as it was at a time before its last change, by the records of its `statusTrack` and those
 * of its units. A unit without records has not run before the job's end.
 * @param at in ms since the epoch
 */
export function jobAt(job: JsonObject, at: number): JsonObject {
  const own = trackAt(job, at, 1, 'pre-submission')
  if (own.status === 'pre-submission') return { ...resetJob(job, at), ...own }
  const { errors: _, ...compute } = isJsonObject(job.compute) ? job.compute : {}
  const { scopeTrack, ...whole }: JsonObject = {
    ...job,
    ...own,
    ...(isJsonObject(job.compute) && { compute }),
  }
  if (own.status === 'submitted') return resetUnits(whole)
  const past = mapUnits(whole, (unit) => ({ ...unit, ...trackAt(unit, at, MS_OF_UNITS, 'idle') }))
  return Array.isArray(scopeTrack)
    ? { ...past, scopeTrack: scopeTrack.slice(0, countRepetitions(past)) }
    : past
}

/** Returns the `status` and the `statusTrack` of a job or unit at a time. */
function trackAt(tracked: JsonObject, at: number, ms: number, first: string): JsonObject {
  const statusTrack = findObjects(tracked, 'statusTrack').filter(
    ({ trackedAt }) => typeof trackedAt !== 'number' || trackedAt * ms <= at,
  )
  return { status: statusTrack.at(-1)?.status ?? first, statusTrack }
}

/** Counts the repetitions of a loop that have ended, by the unit that has the loop's result. */
const countRepetitions = (job: JsonObject): number =>
  listUnits(job)
    .filter(({ unit }) => Array.isArray(unit.tags) && unit.tags.includes('hasConvergenceResult'))
    .flatMap(({ unit }) => findObjects(unit, 'statusTrack'))
    .filter(({ status }) => status === 'finished').length
