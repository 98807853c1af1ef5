import type { InputPath } from '../../../json/input-path.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { equalValues } from '../../values/compare-values.js'
import type { ValueUpdate } from '../field-update.js'
import { checkStoredValue } from '../stored-value-rules.js'

/**
 * Creates the update of an array by `$push` or `$addToSet`. A missing field counts as an empty
 * array. If the new array equals the old one, the old one is returned.
 * @param update returns the new array
 * @returns an update that throws BodyInvalid for a field that is not an array
 */
export function createArrayUpdate(
  path: InputPath,
  update: (array: readonly Json[]) => readonly Json[],
): ValueUpdate {
  return {
    createsPath: true,
    apply: (value) => {
      if (value === undefined) return update([])
      if (!Array.isArray(value)) throw path.error(`must apply to an array, not ${quote(value)}`)
      const updated = update(value)
      return equalValues(updated, value) ? value : updated
    },
  }
}

/**
 * Parses the `$each` of a `$push` or `$addToSet`.
 * @throws BodyInvalid unless it is an array of values that can be stored
 */
export function parseEach(operand: JsonObject, path: InputPath): readonly Json[] {
  const { $each: values = null } = operand
  const eachPath = path.child('$each')
  if (!Array.isArray(values)) throw eachPath.error(`must be an array, not ${quote(values)}`)
  checkStoredValue(values, eachPath)
  return values
}
