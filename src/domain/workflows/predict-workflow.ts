import type { JsonObject } from '../../json/json.js'
import { deriveIdentifier } from '../deterministic.js'
import { createSubworkflowUnit, createUnits, deriveFlowchartId } from './create-units.js'
import type { UnitDraft } from './create-units.js'

const NAME = 'ML: Predict Properties'

const UNITS: readonly UnitDraft[] = [
  {
    name: 'input',
    fields: { type: 'io', subtype: 'input', source: 'api', input: [] },
    results: [],
  },
  {
    name: 'clean data',
    fields: {
      type: 'processing',
      operation: 'data_transformation',
      operationType: 'manipulation',
      inputData: { cleanMissingData: true, replaceNoneValuesWith: 0, removeDuplicateRows: false },
    },
    results: [],
  },
  {
    name: 'scale and reduce',
    fields: {
      type: 'processing',
      operation: 'data_transformation',
      operationType: 'scale_and_reduce',
      inputData: { scaler: 'standard_scaler', perFeature: [] },
    },
    results: [],
  },
  {
    name: 'score',
    fields: {
      type: 'execution',
      executable: { name: 'score' },
      flavor: { name: 'score' },
      input: [],
    },
    results: ['predicted_properties'],
  },
]

/**
 * Returns the workflow that results from the training of a model. Its last unit predicts the properties
 * of the materials of a job.
 * @param subworkflow the subworkflow of the training, for its application and its model
 * @param fields the `_id`, and the fields that the server assigns
 */
export function makePredictWorkflow(
  { application = {}, model = {} }: JsonObject,
  fields: JsonObject,
): JsonObject {
  const seed = `predict workflow ${String(fields._id)}`
  const units = createUnits(UNITS, seed).map((unit) => ({ ...unit, application }))
  const properties = ['predicted_properties']
  const _id = deriveIdentifier(`${seed}: subworkflow`)
  const subworkflow = { _id, name: NAME, application, model, properties, units }
  return {
    ...fields,
    name: NAME,
    properties,
    subworkflows: [subworkflow],
    units: [createSubworkflowUnit(subworkflow, deriveFlowchartId(seed, NAME))],
    workflows: [],
    isMultiMaterial: true,
    tags: ['ml'],
  }
}
