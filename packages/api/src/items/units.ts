import { findObjects, isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

export interface WorkflowUnit {
  readonly unit: JsonObject
  readonly subworkflow: JsonObject
  /** Identifies the unit in a job: its `flowchartId`. */
  readonly id: string
  readonly name: string
}

/** Returns the units of the subworkflows of a job's workflow, in their order. */
export const listUnits = ({ workflow = null }: JsonObject): readonly WorkflowUnit[] =>
  findObjects(workflow, 'subworkflows').flatMap((subworkflow) =>
    findObjects(subworkflow, 'units').map((unit) => ({
      unit,
      subworkflow,
      id: toText(unit.flowchartId),
      name: toText(unit.name),
    })),
  )

/** @param changeOwn changes a unit of the workflow itself (default: in the same way) */
export function mapUnits(
  job: JsonObject,
  change: (unit: JsonObject) => JsonObject,
  changeOwn = change,
): JsonObject {
  const { workflow } = job
  if (!isJsonObject(workflow)) return job
  const own = mapObjects(workflow, 'units', changeOwn)
  return {
    ...job,
    workflow: mapObjects(own, 'subworkflows', (each) => mapObjects(each, 'units', change)),
  }
}

/** Returns the names of the results of a unit. Each result is an object with a name, or only a name. */
export const listResultNames = ({ results = [] }: JsonObject): readonly string[] =>
  (Array.isArray(results) ? results : []).flatMap((result: Json) => {
    const name = isJsonObject(result) ? result.name : result
    return typeof name === 'string' ? [name] : []
  })

export interface TrackedRecord {
  /** The time in ms since the epoch. */
  readonly at: number
  readonly status: string
}

/** The last time of a Date, in ms since the epoch (ECMA-262, section 21.4.1.1). */
export const LAST_DATE = 8.64e15

/** The unit of the times of the records of units, in ms. Those of jobs are in ms. */
export const MS_OF_UNITS = 1000

/**
 * Those that have a time.
 * @param ms the unit of its times, in ms
 */
export const listRecords = (tracked: JsonObject, ms = 1): readonly TrackedRecord[] =>
  findObjects(tracked, 'statusTrack').flatMap(({ trackedAt, status }) => {
    const at = typeof trackedAt === 'number' ? Math.round(trackedAt * ms) : -1
    return at >= 0 && at <= LAST_DATE ? [{ at, status: String(status) }] : []
  })

/** Returns a value with other objects in an array field, if it has such an array. */
function mapObjects(
  value: JsonObject,
  field: string,
  change: (each: JsonObject) => JsonObject,
): JsonObject {
  const array = value[field]
  if (!Array.isArray(array)) return value
  return {
    ...value,
    [field]: array.map((each: Json) => (isJsonObject(each) ? change(each) : each)),
  }
}

const toText = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Returns the group of a unit's properties: `qe:dft:gga:pbe`. */
export function formatGroup({ unit, subworkflow }: WorkflowUnit): string {
  const application = toObject(unit.application ?? subworkflow.application)
  const { type, subtype, functional } = toObject(subworkflow.model)
  const name = toText(application.shortName) || toText(application.name)
  const parts = [type, subtype, functional].map((part) =>
    isJsonObject(part) ? toText(part.slug) : toText(part),
  )
  return [name, ...parts].filter((part) => part !== '').join(':')
}

const toObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
