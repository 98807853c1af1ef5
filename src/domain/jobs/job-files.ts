import { isJsonObject } from '../../json/json.js'
import type { JobFile } from '../../schemas/job-file.js'
import type { Json, JsonObject } from '../../json/json.js'

/** The files of a job: the inputs of its workflow's units, in the order of the units. */
export function jobFiles({ _id, workflow = null }: JsonObject): JobFile[] {
  const units = objectsOf(workflow, 'subworkflows').flatMap((each) => objectsOf(each, 'units'))
  const inputs = units.flatMap((unit) => objectsOf(unit, 'input'))
  return inputs.flatMap(({ name, content }) =>
    typeof name === 'string' && typeof content === 'string'
      ? [{ key: `${_id}/${name}`, name, size: Buffer.byteLength(content) }]
      : [],
  )
}

function objectsOf(holder: Json, name: string): readonly JsonObject[] {
  const value = isJsonObject(holder) ? holder[name] : undefined
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
