import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'

/**
 * Returns a text that is the same for two values if and only if they are equal in a schema, where
 * the order of an object's fields does not count.
 */
export function toUnorderedKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toUnorderedKey).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${toUnorderedKey(value[name] as Json)}`)
  return `{${fields.join()}}`
}
