import { createHash } from 'node:crypto'

import { listUnits, mapUnits } from '@materials-mock/api'
import type { WorkflowUnit } from '@materials-mock/api'
import { findObjects, groupBy } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

/** The times at which a job is submitted, active, and at its end, in ms since the epoch. */
export interface RunTimes {
  readonly submittedAt: number
  readonly activeAt: number
  readonly endsAt: number
}

export interface UnitRun extends WorkflowUnit {
  /** The number of earlier runs of the unit. */
  readonly repetition: number
  readonly startsAt: number
  readonly endsAt: number
  readonly isFailed: boolean
}

/** The number of times that a loop runs, because no condition is computed. */
const REPETITIONS = 3

/** The largest number of runs of all units. One more run is planned, with which the job fails. */
export const MAX_RUNS = 1000

/**
 * Plans the runs of units, one after the other, each with the same part of the time.
 * @param failure for a failing job, the name or `flowchartId` of the unit that fails, by default the
 * last unit that executes a program. No unit runs after it
 */
export function planUnits(
  steps: readonly WorkflowUnit[],
  { activeAt, endsAt }: RunTimes,
  failure?: { readonly unit?: string | undefined },
): readonly UnitRun[] {
  const planned = failure === undefined ? steps : steps.slice(0, findFailing(steps, failure) + 1)
  const timeOf = (step: number): number =>
    Math.round(activeAt + ((endsAt - activeAt) * step) / planned.length)
  const counts = new Map<JsonObject, number>()
  return planned.map((step, index) => {
    const repetition = counts.get(step.unit) ?? 0
    counts.set(step.unit, repetition + 1)
    return {
      ...step,
      repetition,
      startsAt: timeOf(index),
      endsAt: timeOf(index + 1),
      isFailed: failure !== undefined && index === planned.length - 1,
    }
  })
}

/** Sets `status`, `statusTrack` with times in s, and of a loop `scopeTrack`, its convergence. */
export function runUnits(
  job: JsonObject,
  runs: readonly UnitRun[],
  { submittedAt }: RunTimes,
): JsonObject {
  if (runs.length === 0) return job
  const hasLoop = runs.some(({ repetition }) => repetition > 0)
  const track = (own: readonly UnitRun[] = []): JsonObject => {
    const changes = own.flatMap(({ startsAt, endsAt, repetition, isFailed }) => [
      { at: startsAt, status: 'active', repetition },
      { at: endsAt, status: isFailed ? 'error' : 'finished', repetition },
    ])
    return {
      status: changes.at(-1)?.status ?? 'idle',
      statusTrack: [
        { status: 'idle', trackedAt: submittedAt / 1000 },
        ...changes.map(({ at, status, repetition }) => ({
          status,
          trackedAt: at / 1000,
          ...(hasLoop && { repetition }),
        })),
      ],
    }
  }
  const byUnit = groupBy(runs, ({ unit }) => unit)
  const bySubworkflow = groupBy(runs, ({ subworkflow }) => subworkflow._id)
  return {
    ...mapUnits(
      job,
      (unit) => ({ ...unit, ...track(byUnit.get(unit)) }),
      (unit) => ({ ...unit, ...track(joinRuns(bySubworkflow.get(unit._id))) }),
    ),
    ...(hasLoop && { scopeTrack: trackScope(job, runs) }),
  }
}

export const resetUnits = (job: JsonObject): JsonObject => mapUnits(job, resetUnit)

function resetUnit(unit: JsonObject): JsonObject {
  if (unit.statusTrack === undefined) return unit
  const { statusTrack: _, ...fields } = unit
  return { ...fields, status: 'idle' }
}

/** Returns the runs of a subworkflow's units as one run of the unit that stands for the subworkflow. */
function joinRuns(runs: readonly UnitRun[] = []): UnitRun[] {
  const [first, last] = [runs[0], runs.at(-1)]
  return first && last ? [{ ...last, startsAt: first.startsAt, repetition: 0 }] : []
}

/**
 * In the order in which they run, at most one more than may run: from the head of a flowchart to
 * `next`, at a condition to `then`, or first a number of times to an `else` that leads back to it.
 * A loop in a loop runs anew each time.
 */
export function listSteps(job: JsonObject): readonly WorkflowUnit[] {
  const units = groupBy(listUnits(job), ({ subworkflow }) => subworkflow)
  const walks = new Map<JsonObject, readonly WorkflowUnit[]>()
  let steps: readonly WorkflowUnit[] = []
  for (const subworkflow of orderSubworkflows(job)) {
    if (steps.length > MAX_RUNS) break
    const walk = walks.get(subworkflow) ?? walkUnits(units.get(subworkflow) ?? [])
    walks.set(subworkflow, walk)
    if (walk.length > 0) steps = [...steps, ...walk].slice(0, MAX_RUNS + 1)
  }
  return steps
}

const walkUnits = (units: readonly WorkflowUnit[]): readonly WorkflowUnit[] =>
  walkFlowchart(units.map(({ unit }) => unit)).map((at) => units[at]!)

/** Returns the subworkflows in the order of the units that stand for them. */
function orderSubworkflows({ workflow = null }: JsonObject): JsonObject[] {
  const subworkflows = findObjects(workflow, 'subworkflows')
  const units = findObjects(workflow, 'units')
  // Of several subworkflows with one `_id`, the first counts.
  const byId = new Map(subworkflows.map((each) => [each._id, each] as const).toReversed())
  byId.delete(undefined)
  const ordered = walkFlowchart(units)
    .map((at) => byId.get(units[at]?._id))
    .filter((each) => each !== undefined)
  const present = new Set(ordered)
  return [...ordered, ...subworkflows.filter((each) => !present.has(each))]
}

/** A unit without `next` is the last. What leads back without a condition runs until `MAX_RUNS`. */
function walkFlowchart(units: readonly JsonObject[]): number[] {
  if (units.every(({ next }) => typeof next !== 'string')) return units.map((_, at) => at)
  const places = new Map(units.map(({ flowchartId }, at) => [flowchartId, at]))
  const find = (id: Json | undefined): number =>
    (typeof id === 'string' ? places.get(id) : undefined) ?? -1
  const findNext = ({ type, then, next }: JsonObject): number =>
    find(type === 'condition' ? (then ?? next) : next)
  const steps: number[] = []
  /** How often the loops that are running have led back, by the positions of their conditions. */
  const loops = new Map<number, number>()
  let at = Math.max(
    0,
    units.findIndex(({ head }) => head === true),
  )
  while (at !== -1 && steps.length <= MAX_RUNS) {
    const unit = units[at]!
    steps.push(at)
    const run = (loops.get(at) ?? 0) + 1
    const times = Math.min(REPETITIONS, Number(unit.maxOccurrences ?? REPETITIONS))
    const isRepeated = unit.type === 'condition' && run < times && leadsBack(at)
    if (isRepeated) loops.set(at, run)
    // The loop starts again if an outer loop leads back to it.
    else loops.delete(at)
    at = isRepeated ? find(unit.else) : findNext(unit)
  }
  return steps

  function leadsBack(condition: number): boolean {
    let each = find(units[condition]?.else)
    for (let step = 0; each !== -1 && step < MAX_RUNS; step += 1) {
      if (each === condition) return true
      each = findNext(units[each]!)
    }
    return false
  }
}

function findFailing(
  steps: readonly { readonly unit: JsonObject }[],
  { unit: name }: { readonly unit?: string | undefined },
): number {
  const named = steps.findIndex(
    ({ unit }) => name !== undefined && (unit.name === name || unit.flowchartId === name),
  )
  if (named !== -1) return named
  const last = steps.findLastIndex(({ unit }) => unit.type === 'execution')
  return last === -1 ? steps.length - 1 : last
}

/**
 * Under the operands of assignments tagged `hasConvergenceParam` and `hasConvergenceResult`, made
 * up: the parameter counts up, the result comes closer to a limit.
 */
function trackScope(job: JsonObject, runs: readonly UnitRun[]): JsonObject[] {
  return findObjects(job.workflow ?? null, 'subworkflows').flatMap((subworkflow) => {
    const units = findObjects(subworkflow, 'units')
    const findOperand = (tag: string): JsonObject | undefined =>
      units.find(({ tags }) => Array.isArray(tags) && tags.includes(tag))
    const parameter = findOperand('hasConvergenceParam')
    const result = findOperand('hasConvergenceResult')
    if (parameter === undefined || result === undefined) return []
    const first = Number(parameter.value) || 1
    const seed = createHash('sha256').update(String(job._id)).digest().readUInt16BE(0)
    return runs
      .filter(({ unit }) => unit === result)
      .map(({ repetition }) => ({
        repetition,
        scope: {
          global: {
            [String(parameter.operand)]: first + repetition,
            [String(result.operand)]: -(100 + (seed % 200)) - 1 + 0.1 ** (repetition + 1),
          },
          local: {},
        },
      }))
  })
}
