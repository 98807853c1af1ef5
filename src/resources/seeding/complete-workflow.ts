import { BodyInvalid, isJsonObject, quote } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { deriveIdentifier } from '@materials-mock/structures'
import {
  createSubworkflowUnit,
  createUnits,
  deriveFlowchartId,
} from '../../jobs/workflows/create-units.js'
import { ESPRESSO, PBE, SCF } from '../../jobs/workflows/espresso.js'
import { completeCommonFields } from './common-fields.js'
import type { SeedContext } from './common-fields.js'

/** A workflow that is valid against the schema of seeds. */
type SeededWorkflow = JsonObject & {
  readonly name?: string
  readonly properties?: readonly string[]
  readonly subworkflows?: readonly JsonObject[]
  readonly units?: readonly JsonObject[]
}

const PROPERTIES = ['total_energy', 'fermi_energy', 'pressure']

/**
 * Completes a workflow. Without subworkflows, it gets a subworkflow with one unit of pw.x, whose results are the
 * workflow's properties. Without units, it gets a unit for each subworkflow. All subworkflows get an `_id`.
 * @throws BodyInvalid for units of missing subworkflows, and for properties that no subworkflow has
 */
export function completeWorkflow(item: SeededWorkflow, context: SeedContext): JsonObject {
  const common = completeCommonFields(item, context)
  const { name = 'Total Energy', subworkflows: given } = item
  const subworkflows = given?.map((each, index) => completeSubworkflow(each, index, context)) ?? [
    createSubworkflow(name, item.properties ?? PROPERTIES, context),
  ]
  const properties = new Set(subworkflows.flatMap((each) => listProperties(each)))
  const units = item.units ?? createSubworkflowUnits(subworkflows)
  checkUnits(units, subworkflows)
  if (item.properties !== undefined && given !== undefined)
    checkProperties(item.properties, properties)
  return {
    workflows: [],
    ...common,
    name,
    properties: [...properties],
    subworkflows,
    units,
    ...(item.properties !== undefined && { properties: item.properties }),
  }
}

function createSubworkflow(
  name: string,
  properties: readonly string[],
  { seed, resource, index }: SeedContext,
): JsonObject {
  const id = `seed ${seed} ${resource} ${index}`
  return {
    _id: deriveIdentifier(`${id} subworkflow`),
    name,
    application: ESPRESSO,
    properties,
    model: PBE,
    units: createUnits([{ ...SCF, results: properties }], id),
  }
}

/** Gives a subworkflow an `_id`, by which a unit refers to it. */
const completeSubworkflow = (
  subworkflow: JsonObject,
  position: number,
  { seed, resource, index }: SeedContext,
): JsonObject => ({
  _id: deriveIdentifier(`seed ${seed} ${resource} ${index} subworkflow ${position}`),
  ...subworkflow,
})

const createSubworkflowUnits = (subworkflows: readonly JsonObject[]): JsonObject[] =>
  subworkflows.map((each, index) =>
    createSubworkflowUnit(each, deriveFlowchartId(String(each._id), String(index)), index === 0),
  )

const listProperties = ({ properties }: JsonObject): string[] =>
  Array.isArray(properties) ? properties : []

function checkUnits(units: readonly JsonObject[], subworkflows: readonly JsonObject[]): void {
  const ids = new Set(subworkflows.map(({ _id }) => _id))
  for (const [index, unit] of units.entries()) {
    if (isJsonObject(unit) && unit.type === 'subworkflow' && !ids.has(unit._id)) {
      throw new BodyInvalid(
        `units.${index}._id must be the _id of a subworkflow, not ${quote(unit._id ?? null)}`,
      )
    }
  }
}

function checkProperties(given: readonly string[], properties: ReadonlySet<string>): void {
  const unknown = given.find((each) => typeof each === 'string' && !properties.has(each))
  if (unknown !== undefined) {
    throw new BodyInvalid(
      `properties must be properties of the subworkflows, which have ${[...properties].join(', ') || 'none'}, not ${quote(unknown)}`,
    )
  }
}
