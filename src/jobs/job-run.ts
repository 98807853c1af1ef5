import {
  MS_OF_UNITS,
  findOutcome,
  listRecords,
  listResultNames,
  listUnits,
  mapUnits,
} from '@materials-mock/api'
import type { JobOutcome, RunDescription, TrackedRecord, WorkflowUnit } from '@materials-mock/api'
import { findObjects, isJsonObject, quote, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { resetJob, setStatus } from './job-lifecycle.js'
import { MAX_RUNS, listSteps, planUnits, resetUnits, runUnits } from './run-units.js'
import type { RunTimes } from './run-units.js'

/** The life of a job, planned once. It never changes. Times are in ms since the epoch. */
export interface JobRun extends RunTimes {
  /** The time from which the job is as it was written, until it is active. */
  readonly writtenAt: number
  /** The job while it is active, without what changes then. */
  readonly active: JsonObject
  /** The job at its end, with the records of its whole life. */
  readonly whole: JsonObject
  /** Whether it leaves results. A job that can't run leaves none. */
  readonly hasResults: boolean
}

/**
 * Plans the life of a submitted or active job. Its units run one after the other, and it becomes `finished`, or
 * `error` if its outcome says so, if it asks for too much, or if a material has no structure. Returns undefined for other jobs, and for a job
 * without a submission in its `statusTrack`.
 * @param duration the times that a job is submitted and active, in ms each
 * @param findMaterials returns its materials as they were when it was submitted, to see whether they have structures
 */
export function planRun(
  job: JsonObject,
  duration: number,
  findMaterials: () => readonly JsonObject[] = () => [],
): JobRun | undefined {
  const [submission, ...later] = listLastRecords(job)
  const isRunning = job.status === 'submitted' || job.status === 'active'
  if (!isRunning || submission?.status !== 'submitted') return undefined
  const activation = job.status === 'active' && later.findLast(({ status }) => status === 'active')
  const activeAt = activation ? activation.at : submission.at + duration
  const times = { submittedAt: submission.at, activeAt, endsAt: activeAt + duration }
  const steps = listSteps(job)
  const outcome = findOutcome(job)
  const obstacle = findExcess(job, steps) ?? findLackingStructure(outcome, findMaterials())
  const isFailed = obstacle !== undefined || outcome.status === 'error'
  const unit = obstacle === undefined ? outcome.unit : undefined
  const units = planUnits(steps, times, isFailed ? { unit } : undefined)
  const active = activation ? job : setStatus(job, 'active', activeAt)
  const ran = runUnits(active, units, times)
  const ended = setStatus(ran, isFailed ? 'error' : 'finished', times.endsAt)
  const whole = isFailed ? withError(ended, obstacle ?? outcome.message ?? 'the job failed') : ended
  return { ...times, writtenAt: -Infinity, active, whole, hasResults: obstacle === undefined }
}

/**
 * @param job as it was written
 * @param now in ms since the epoch
 */
export function shownAt(job: JsonObject, run: JobRun, now: number): JsonObject {
  if (now >= run.endsAt) return run.whole
  if (now >= run.activeAt)
    return { ...jobAt(run.whole, now), updatedAt: run.active.updatedAt ?? null }
  return now >= run.writtenAt ? job : jobAt(job, now)
}

/** With all that came before it was written, by its records; undefined without any. */
export function lookBack(job: JsonObject, run: JobRun | undefined): JobRun | undefined {
  const writtenAt = listTimes(job).reduce((last, time) => Math.max(last, time), -Infinity)
  if (run !== undefined) return { ...run, writtenAt }
  if (writtenAt === -Infinity) return undefined
  const times = { writtenAt, submittedAt: writtenAt, activeAt: writtenAt, endsAt: writtenAt }
  return { ...times, active: job, whole: job, hasResults: false }
}

/** Returns the times at which a job changes, each once. */
export function listChanges(
  job: JsonObject,
  { writtenAt, activeAt, endsAt, whole }: JobRun,
): number[] {
  const written = writtenAt === -Infinity ? [] : listTimes(job)
  const planned = [...listTimes(whole), activeAt, endsAt].filter((time) => time >= activeAt)
  return [...new Set([...written, ...planned].filter((time) => time <= endsAt))]
}

/** Describes the last life of a job by its records. A planned job has all of them at its end. */
export function describeRun(whole: JsonObject): RunDescription {
  const life = listLastRecords(whole)
  const timeOf = (isMeant: (status: string) => boolean): string | null =>
    formatTime(life.findLast(({ status }) => isMeant(status))?.at)
  const units = listUnits(whole).flatMap(({ unit, name }) =>
    listRecords(unit, MS_OF_UNITS).flatMap(({ status, at }, index, all) => {
      const end = all[index + 1]
      if (status !== 'active') return []
      return [{ at, name, endsAt: formatTime(end?.at), status: end?.status ?? status }]
    }),
  )
  return {
    submittedAt: timeOf((status) => status === 'submitted'),
    activeAt: timeOf((status) => status === 'active'),
    endsAt: timeOf((status) => !['pre-submission', 'submitted', 'active'].includes(status)),
    units: units
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, name, ...end }) => ({ name, startsAt: new Date(at).toISOString(), ...end })),
  }
}

/** Returns the records of a job since its last submission; all of them if there is none. */
function listLastRecords(job: JsonObject): readonly TrackedRecord[] {
  const records = listRecords(job)
  const submission = records.findLastIndex(({ status }) => status === 'submitted')
  return submission === -1 ? records : records.slice(submission)
}

const formatTime = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString()

/** The largest number of materials of one job. A result names all of them, and some results have data of each. */
const MAX_MATERIALS = 100

/** The largest number of results of one job, without its charge. All results are stored at once. */
const MAX_RESULTS = 1000

/** Returns why a job can't run, if it asks for too much. */
function findExcess(job: JsonObject, steps: readonly WorkflowUnit[]): string | undefined {
  const { status, results } = findOutcome(job)
  const materials = listMaterialIds(job).length
  if (materials > MAX_MATERIALS)
    return `a job must have at most ${MAX_MATERIALS} materials, not ${materials}`
  if (status !== 'error' && steps.length > MAX_RUNS)
    return `a job must run at most ${MAX_RUNS} units, and its workflow runs more; end its loop earlier`
  const running = status === 'error' ? [] : [...new Set(steps)]
  const wanted = running.flatMap(({ unit }) => listItems(unit))
  return (results ?? wanted).length > MAX_RESULTS
    ? `a job must leave at most ${MAX_RESULTS} results, and its workflow asks for more`
    : undefined
}

/** Returns why a job can't run, if a material has no structure, and its outcome does not say what it leaves. */
function findLackingStructure(
  { results }: JobOutcome,
  materials: readonly JsonObject[],
): string | undefined {
  const bare = materials.find(({ basis, lattice }) => basis === undefined || lattice === undefined)
  if (bare === undefined || results !== undefined) return undefined
  const missing = ['basis', 'lattice'].filter((field) => bare[field] === undefined)
  return `the material ${quote(bare.name ?? bare._id)} must have a structure to run; it lacks ${missing.join(' and ')}`
}

/** Returns the names of the items that a unit leaves: of some results, there are two. */
const listItems = (unit: JsonObject): readonly string[] =>
  listResultNames(unit).flatMap((name) =>
    name === 'final_structure' || name === 'workflow:ml_predict' ? [name, name] : [name],
  )

/** Returns the `_id`s of the materials that a job names, each once. */
export function listMaterialIds({ _material = null, _materials = null }: JsonObject): string[] {
  const references = [...(Array.isArray(_materials) ? _materials : []), _material]
  const ids = references.flatMap((reference) =>
    isJsonObject(reference) && typeof reference._id === 'string' ? [reference._id] : [],
  )
  return [...new Set(ids)]
}

const withError = (job: JsonObject, message: string): JsonObject => ({
  ...job,
  compute: {
    ...toObject(job.compute),
    errors: [{ domain: 'rupy', reason: 'JobFailed', message }],
  },
})

const listTimes = (job: JsonObject): number[] =>
  [
    ...listRecords(job),
    ...listUnits(job).flatMap(({ unit }) => listRecords(unit, MS_OF_UNITS)),
  ].map(({ at }) => at)

/**
 * Returns a job as it was at a time before its last change, by the records of its `statusTrack` and those
 * of its units. A unit without records has not run before the job's end.
 * @param at in ms since the epoch
 */
function jobAt(job: JsonObject, at: number): JsonObject {
  const own = trackAt(job, at, 1, 'pre-submission')
  if (own.status === 'pre-submission') return { ...resetJob(job, at), ...own }
  const { errors: _, ...compute } = toObject(job.compute)
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
    ({ trackedAt }) => typeof trackedAt !== 'number' || Math.round(trackedAt * ms) <= at,
  )
  return { status: statusTrack.at(-1)?.status ?? first, statusTrack }
}

/** Counts the repetitions of a loop that have ended, by the unit that has the loop's result. */
const countRepetitions = (job: JsonObject): number =>
  listUnits(job)
    .filter(({ unit }) => Array.isArray(unit.tags) && unit.tags.includes('hasConvergenceResult'))
    .flatMap(({ unit }) => findObjects(unit, 'statusTrack'))
    .filter(({ status }) => status === 'finished').length
