import type { JsonObject } from '../../json/json.js'
import { deriveIdentifier } from '../identifier.js'

const NAME = 'ML: Predict Properties'

const UNITS: readonly (readonly [name: string, fields: JsonObject, results: readonly string[]])[] =
  [
    ['input', { type: 'io', subtype: 'input', source: 'api', input: [] }, []],
    [
      'clean data',
      {
        type: 'processing',
        operation: 'data_transformation',
        operationType: 'manipulation',
        inputData: { cleanMissingData: true, replaceNoneValuesWith: 0, removeDuplicateRows: false },
      },
      [],
    ],
    [
      'scale and reduce',
      {
        type: 'processing',
        operation: 'data_transformation',
        operationType: 'scale_and_reduce',
        inputData: { scaler: 'standard_scaler', perFeature: [] },
      },
      [],
    ],
    [
      'score',
      { type: 'execution', executable: { name: 'score' }, flavor: { name: 'score' }, input: [] },
      ['predicted_properties'],
    ],
  ]

/**
 * Returns the workflow that a training of a model leaves. Its last unit predicts the properties of
 * the materials of a job.
 * @param subworkflow that of the training, for its application and its model
 * @param fields the `_id`, and the fields that the server assigns
 */
export function makePredictWorkflow(
  { application = {}, model = {} }: JsonObject,
  fields: JsonObject,
): JsonObject {
  const seed = `predict workflow ${String(fields._id)}`
  const toFlowchartId = (name: string): string => deriveIdentifier(`${seed}: unit ${name}`)
  const units = UNITS.map(([name, rest, results], index) => ({
    name,
    ...rest,
    application,
    flowchartId: toFlowchartId(name),
    ...(UNITS[index + 1] && { next: toFlowchartId(UNITS[index + 1]?.[0] ?? '') }),
    head: index === 0,
    status: 'idle',
    results: results.map((each) => ({ name: each })),
    monitors: [],
    preProcessors: [],
    postProcessors: [],
  }))
  const _id = deriveIdentifier(`${seed}: subworkflow`)
  const properties = ['predicted_properties']
  const unit = { type: 'subworkflow', name: NAME, flowchartId: toFlowchartId(NAME), head: true }
  return {
    ...fields,
    name: NAME,
    properties,
    subworkflows: [{ _id, name: NAME, application, model, properties, units }],
    units: [{ _id, ...unit, status: 'idle' }],
    workflows: [],
    isMultiMaterial: true,
    tags: ['ml'],
  }
}
