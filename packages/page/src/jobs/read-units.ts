import { findObjects } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import { formatValue } from '../table/format-value.js'

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

export const readUnits = ({ workflow }: Item): UnitGroup[] =>
  findObjects(workflow, 'subworkflows').map((subworkflow) => ({
    name: formatValue(subworkflow.name),
    units: findObjects(subworkflow, 'units').map((unit) => ({
      name: formatValue(unit.name),
      status: typeof unit.status === 'string' ? unit.status : 'idle',
      runs: readRuns(unit),
    })),
  }))

/** Reads the runs of a unit from its `statusTrack`. A run starts with `active`, and ends with the next record. */
export function readRuns(unit: JsonObject): UnitRun[] {
  const runs: UnitRun[] = []
  for (const { status, trackedAt } of findObjects(unit, 'statusTrack')) {
    if (typeof trackedAt !== 'number' || typeof status !== 'string') continue
    const open = runs.at(-1)
    if (open !== undefined && open.to === undefined)
      runs[runs.length - 1] = { from: open.from, to: Math.max(open.from, trackedAt), status }
    if (status === 'active') runs.push({ from: trackedAt, status })
  }
  return runs
}

/** An arrow of a flowchart between two units, by their positions. */
interface Arrow {
  readonly from: number
  readonly to: number
  /** Whether it leads back, or to its own unit. */
  readonly isBack: boolean
  /** `then` or `else` of a condition. */
  readonly label: string
}

/** Reads the arrows between units. Units without any `next` follow each other, but for the branches of conditions. */
export function readArrows(units: readonly JsonObject[]): Arrow[] {
  const isLine = units.every(({ next }) => typeof next !== 'string')
  return units.flatMap((unit, from) => {
    const labels = unit.type === 'condition' ? ['then', 'else'] : ['']
    return labels.flatMap((label) => {
      const id = unit[label] ?? (label === 'then' ? undefined : unit.next)
      const to =
        isLine && typeof id !== 'string'
          ? from + 1
          : units.findIndex(({ flowchartId }) => id !== undefined && flowchartId === id)
      return units[to] === undefined ? [] : [{ from, to, isBack: to <= from, label }]
    })
  })
}
