import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { createArrayUpdate, parseEach } from './array-update.js'
import type { ValueUpdate } from '../field-update.js'
import { compilePushSort } from './push-sort.js'
import { checkStoredValue } from '../stored-value-rules.js'

const MODIFIERS: ReadonlySet<string> = new Set(['$each', '$position', '$slice', '$sort'])

/**
 * Compiles `$push`, which appends a value to an array. With the modifier `$each` it adds several
 * values, at `$position`; then it sorts the array by `$sort` and cuts it to `$slice`
 * (https://www.mongodb.com/docs/manual/reference/operator/update/push/).
 * @throws BodyInvalid for an operand that MongoDB rejects
 */
export function compilePush(operand: Json, path: InputPath): ValueUpdate {
  if (!isJsonObject(operand) || !('$each' in operand)) {
    checkStoredValue(operand, path)
    return createArrayUpdate(path, (array) => [...array, operand])
  }
  const unknown = Object.keys(operand).find((key) => !MODIFIERS.has(key))
  if (unknown !== undefined) {
    const known = [...MODIFIERS].join(', ')
    throw path.child(unknown).error(`is not a modifier of $push, which has ${known}`)
  }
  const values = parseEach(operand, path)
  const position = parseInteger(operand, '$position', path)
  const slice = parseInteger(operand, '$slice', path)
  const compare =
    '$sort' in operand ? compilePushSort(operand.$sort as Json, path.child('$sort')) : undefined
  return createArrayUpdate(path, (array) => {
    const start = position < 0 ? Math.max(0, array.length + position) : position
    const extended = [...array.slice(0, start), ...values, ...array.slice(start)]
    const sorted = compare === undefined ? extended : extended.toSorted(compare)
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice)
  })
}

/** Returns an integer of the operand, or Infinity if it is missing. */
function parseInteger(operand: JsonObject, key: string, path: InputPath): number {
  const { [key]: value = Infinity } = operand
  if (value === Infinity || Number.isInteger(value)) return value as number
  throw path.child(key).error(`must be an integer, not ${quote(value)}`)
}
