import { isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { planRun } from '../jobs/job-run.js'
import type { JobRun } from '../jobs/job-run.js'

/** What time does to a written item: to a job that runs, or to an item that a job has left. It never changes. */
export type Life = (RunningJob | JobResultOf) & {
  /** The time by which the job had ended all the same, in ms since the epoch, for all but a look back. */
  readonly endedBy?: number
}

/** An entry, for what this file needs of it. */
interface Lived {
  readonly item: JsonObject
  readonly life: Life | undefined
  /** The entry as it was written, if this one shows it as it is at a time. */
  readonly written: Lived | undefined
}

/** The run of a job. */
export interface RunningJob {
  readonly plan: JobRun
  /** The times that it is submitted and active, in ms each. */
  readonly duration: number
  /** Its materials as they were when it was submitted. */
  readonly materials: readonly JsonObject[]
  /** Whether its results are stored. */
  readonly isDone: boolean
}

export interface JobResultOf {
  readonly jobId: string
  /** The time from which it is there, in ms since the epoch. */
  readonly from: number
}

export const isRun = (life: Life | undefined): life is Life & RunningJob =>
  life !== undefined && 'plan' in life

/** Plans the run of a job; returns undefined for a job that does not run. */
export function startRun(
  job: JsonObject,
  duration: number,
  findMaterials: () => readonly JsonObject[],
): RunningJob | undefined {
  const plan = planRun(job, duration)
  return plan && { plan, duration, materials: findMaterials(), isDone: false }
}

/**
 * Returns the item to write in place of an entry, and its life. After its end, a job keeps its run: only
 * its end is another. Before that, it runs anew from what is written.
 * @param former the entry as it is shown
 */
export function rewrite(
  former: Lived,
  item: JsonObject,
): { readonly item: JsonObject; readonly life: Life | undefined } {
  const { written = former } = former
  const { life } = written
  if (!isRun(life)) return { item, life }
  if (hasEnded(former) && item.status === former.item.status)
    return { item: written.item, life: { ...life, plan: { ...life.plan, whole: item } } }
  return { item, life: startRun(item, life.duration, () => life.materials) }
}

/** Whether an entry shows a job at the end of its run. */
function hasEnded({ item, life, written }: Lived): boolean {
  const { life: run } = written ?? { life }
  return isRun(run) && run.plan.whole === item
}

/** Whether an entry shows a job as it is before its end, whose results may be stored. */
export function isUnended(entry: Lived): boolean {
  const { life, written } = entry
  return (written !== undefined || (isRun(life) && life.isDone)) && !hasEnded(entry)
}

/** Returns the form of a life that is kept. */
export const formatLife = (life: Life): JsonObject => {
  const early = life.endedBy !== undefined && { endedBy: life.endedBy }
  if (!isRun(life)) return { jobId: life.jobId, from: life.from, ...early }
  const { plan, duration, materials, isDone } = life
  return { duration, materials, isDone, ...(isDone && { whole: plan.whole }), ...early }
}

/**
 * Returns the life of a written item from its form; undefined if it is no such form.
 * @param now the time of a clock that begins anew, in ms since the epoch: what has ended has ended by then
 */
export function parseLife(item: JsonObject, value: unknown, now = Infinity): Life | undefined {
  if (!isJsonObject(value)) return undefined
  const { jobId, from, duration, materials, isDone, whole } = value
  const endedBy = typeof value.endedBy === 'number' ? value.endedBy : now
  const endAt = (end: number) => end > endedBy && { endedBy }
  if (typeof jobId === 'string' && typeof from === 'number') return { jobId, from, ...endAt(from) }
  if (typeof duration !== 'number' || !Array.isArray(materials)) return undefined
  const run = startRun(item, duration, () => materials.filter(isJsonObject))
  if (run === undefined || isDone !== true) return run
  if (!isJsonObject(whole) || whole._id !== item._id) return undefined
  return { ...run, isDone, plan: { ...run.plan, whole }, ...endAt(run.plan.endsAt) }
}
