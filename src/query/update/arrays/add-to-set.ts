import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { createArrayUpdate, parseEach } from './array-update.js'
import type { ValueUpdate } from '../field-update.js'
import { checkStoredValue } from '../stored-value-rules.js'

/**
 * Compiles `$addToSet`, which appends a value, or the values of `$each`, to an array unless it has
 * an equal one (https://www.mongodb.com/docs/manual/reference/operator/update/addToSet/).
 * @throws BodyInvalid for an operand that MongoDB rejects
 */
export function compileAddToSet(operand: Json, path: InputPath): ValueUpdate {
  const values = parseValues(operand, path)
  return createArrayUpdate(path, (array) => {
    // Two values are equal if and only if their JSON is: the order of an object's fields counts.
    const present = new Set(array.map((entry) => JSON.stringify(entry)))
    const added = values.filter((value) => {
      const json = JSON.stringify(value)
      return !present.has(json) && present.add(json)
    })
    return [...array, ...added]
  })
}

function parseValues(operand: Json, path: InputPath): readonly Json[] {
  if (!isJsonObject(operand) || Object.keys(operand)[0] !== '$each') {
    checkStoredValue(operand, path)
    return [operand]
  }
  if (Object.keys(operand).length > 1)
    throw path.error(`must have no key but $each, not ${quote(operand)}`)

  return parseEach(operand, path)
}
