import { listObjects } from '../api/item.js'
import type { Item } from '../api/item.js'
import type { JsonObject } from '../../json/json.js'
import { formatValue } from '../table/format-value.js'

/** A subworkflow of a job. */
interface UnitGroup {
  readonly name: string
  readonly units: readonly UnitLine[]
}

interface UnitLine {
  readonly name: string
  readonly status: string
  readonly runs: readonly UnitRun[]
}

/** One run of a unit. Times are in s. A running unit has no end. */
export interface UnitRun {
  readonly from: number
  readonly to?: number
  readonly status: string
}

/** Reads the units of each subworkflow of a job, with their runs. */
export const readUnits = ({ workflow }: Item): UnitGroup[] =>
  listObjects(workflow, 'subworkflows').map((subworkflow) => ({
    name: formatValue(subworkflow.name),
    units: listObjects(subworkflow, 'units').map((unit) => ({
      name: formatValue(unit.name),
      status: typeof unit.status === 'string' ? unit.status : 'idle',
      runs: readRuns(unit),
    })),
  }))

/** Reads the runs of a unit from its `statusTrack`. A run starts with `active`, and ends with the next record. */
export function readRuns(unit: JsonObject): UnitRun[] {
  const runs: UnitRun[] = []
  for (const { status, trackedAt } of listObjects(unit, 'statusTrack')) {
    if (typeof trackedAt !== 'number' || typeof status !== 'string') continue
    const open = runs.at(-1)
    if (open !== undefined && open.to === undefined)
      runs[runs.length - 1] = { from: open.from, to: Math.max(open.from, trackedAt), status }
    if (status === 'active') runs.push({ from: trackedAt, status })
  }
  return runs
}
