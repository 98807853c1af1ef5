import type { JsonObject } from '@materials-mock/json'
import { deriveIdentifier } from '@materials-mock/structures'
import drafts from './predict-units.json' with { type: 'json' }
import { createSubworkflowUnit, createUnits, deriveFlowchartId } from './create-units.js'

const NAME = 'ML: Predict Properties'

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
  const units = createUnits(drafts, seed).map((unit) => ({ ...unit, application }))
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
