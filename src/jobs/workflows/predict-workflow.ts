import type { JsonObject } from '@materials-mock/json'
import { deriveIdentifier } from '@materials-mock/structures'
import drafts from './predict-units.json' with { type: 'json' }
import { createSubworkflowUnit, createUnits, deriveFlowchartId } from './create-units.js'

const NAME = 'ML: Predict Properties'

/**
 * The workflow of a trained model. Its last unit predicts the properties of the job's materials.
 * @param subworkflow that of the training
 * @param fields the `_id`, and what the server assigns
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
