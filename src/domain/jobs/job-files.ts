import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { JobFile } from '../../schemas/jobs/job-file.js'

/** Returns the files of a job: the inputs of its workflow's units, in the order of the units. */
export function listJobFiles({ _id, workflow = null }: JsonObject): JobFile[] {
  const subworkflows = findObjects(workflow, 'subworkflows')
  const units = subworkflows.flatMap((subworkflow) => findObjects(subworkflow, 'units'))
  const inputs = units.flatMap((unit) => findObjects(unit, 'input'))
  return inputs.flatMap(({ name, content }) =>
    typeof name === 'string' && typeof content === 'string'
      ? [{ key: `${_id}/${name}`, name, size: Buffer.byteLength(content) }]
      : [],
  )
}

/** Returns the objects in an array field; none if the value has no such array. */
function findObjects(value: Json, field: string): readonly JsonObject[] {
  const array = isJsonObject(value) ? value[field] : undefined
  return Array.isArray(array) ? array.filter(isJsonObject) : []
}
