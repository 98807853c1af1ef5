import type { InputPath } from '../../../json/input-path.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import type { ValueUpdate } from '../field-update.js'

/**
 * Compiles `$pullAll`, which removes the entries of an array that equal one of its values. The order
 * of an object's fields counts
 * (https://www.mongodb.com/docs/manual/reference/operator/update/pullAll/).
 * @throws BodyInvalid for an operand that is not an array
 */
export function compilePullAll(operand: Json, path: InputPath): ValueUpdate {
  if (!Array.isArray(operand)) throw path.error(`must be an array, not ${quote(operand)}`)
  // Two values are equal if and only if their JSON is.
  const removed = new Set((operand as readonly Json[]).map((value) => JSON.stringify(value)))
  return {
    createsPath: false,
    apply: (value) => {
      if (!Array.isArray(value))
        throw path.error(`must apply to an array, not ${quote(value ?? null)}`)
      const remaining = value.filter((entry: Json) => !removed.has(JSON.stringify(entry)))
      return remaining.length === value.length ? value : remaining
    },
  }
}
