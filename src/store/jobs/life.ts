import { isJsonObject, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { lookBack, planRun } from '../../jobs/job-run.js'
import type { JobRun } from '../../jobs/job-run.js'

/** What time does to a written item: to a job that runs, or to an item that a job has left. It never changes. */
export type Life = RunningJob | JobResultOf

/** The lives of the items of a resource, by their `_id`s. */
export type Lives = ReadonlyMap<string, Life>

interface EarlyEnd {
  /** The time by which the job had ended all the same, in ms since the epoch, for all but a look back. */
  readonly endedBy?: number
}

export interface RunningJob extends EarlyEnd {
  readonly kind: 'job'
  readonly run: JobRun
  /** The times that it is submitted and active, in ms each. */
  readonly duration: number
  /** Its materials as they were when it was submitted. */
  readonly materials: readonly JsonObject[]
  readonly isDone: boolean
}

export interface JobResultOf extends EarlyEnd {
  readonly kind: 'result'
  readonly jobId: string
  /** The time from which it is there, in ms since the epoch. */
  readonly from: number
}

export interface WrittenItem {
  readonly item: JsonObject
  readonly shown: JsonObject
  readonly life: Life | undefined
}

/** Begins the life of a job; returns undefined for a job that does not run. */
export function startRun(
  job: JsonObject,
  duration: number,
  findMaterials: () => readonly JsonObject[],
): RunningJob | undefined {
  const run = planRun(job, duration, findMaterials)
  return run && { kind: 'job', run, duration, materials: findMaterials(), isDone: false }
}

/** After its end, a job keeps its run; before that, it runs anew from what is written. */
export function goOn(former: WrittenItem, item: JsonObject): Omit<WrittenItem, 'shown'> {
  const { life } = former
  if (life?.kind !== 'job') return { item, life }
  if (hasEnded(former) && item.status === former.shown.status)
    return { item: former.item, life: { ...life, run: { ...life.run, whole: item } } }
  return { item, life: startRun(item, life.duration, () => life.materials) }
}

/** Whether a job is shown at the end of its run. */
const hasEnded = ({ shown, life }: WrittenItem): boolean =>
  life?.kind === 'job' && life.run.whole === shown

/** Whether a job is shown as it is before its end, while its results may be stored. */
export const isUnended = (job: WrittenItem): boolean =>
  (job.shown !== job.item || (job.life?.kind === 'job' && job.life.isDone)) && !hasEnded(job)

/** Returns the run of a job with all that came before it was written; undefined without any record. */
export const findRun = (job: JsonObject, life: Life | undefined): JobRun | undefined =>
  lookBack(job, life?.kind === 'job' ? life.run : undefined)

/** Returns the `_id` of the job that has left an item. */
export function findJobId({ source }: JsonObject, life: Life | undefined): string | undefined {
  if (life?.kind === 'result') return life.jobId
  const { jobId } = toObject(toObject(source).info)
  return typeof jobId === 'string' ? jobId : undefined
}

/** Returns the form of a life that is kept. */
export function formatLife(life: Life): JsonObject {
  const early = life.endedBy !== undefined && { endedBy: life.endedBy }
  if (life.kind === 'result') return { jobId: life.jobId, from: life.from, ...early }
  const { run, duration, materials, isDone } = life
  return { duration, materials, isDone, ...(isDone && { whole: run.whole }), ...early }
}

/**
 * Returns the life of a written item from its form; undefined if it is no such form.
 * @param now the time of a clock that begins anew, in ms since the epoch: what has ended has ended by then
 */
export function parseLife(item: JsonObject, value: unknown, now = Infinity): Life | undefined {
  if (!isJsonObject(value)) return undefined
  const { jobId, from, duration, materials, isDone, whole } = value
  const endedBy = typeof value.endedBy === 'number' ? value.endedBy : now
  const endAt = (end: number): EarlyEnd => (end > endedBy ? { endedBy } : {})
  if (typeof jobId === 'string' && typeof from === 'number')
    return { kind: 'result', jobId, from, ...endAt(from) }
  if (typeof duration !== 'number' || !Array.isArray(materials)) return undefined
  const life = startRun(item, duration, () => materials.filter(isJsonObject))
  if (life === undefined || isDone !== true) return life
  if (!isJsonObject(whole) || whole._id !== item._id) return undefined
  return { ...life, isDone, run: { ...life.run, whole }, ...endAt(life.run.endsAt) }
}
