import type { InputPath } from '../../../json/input-path.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import type { ValueUpdate } from '../field-update.js'

/**
 * Compiles `$pop`, which removes the last entry of an array, or the first one for -1
 * (https://www.mongodb.com/docs/manual/reference/operator/update/pop/).
 * @throws BodyInvalid for an operand other than 1 and -1
 */
export function compilePop(operand: Json, path: InputPath): ValueUpdate {
  if (operand !== 1 && operand !== -1) throw path.error(`must be 1 or -1, not ${quote(operand)}`)
  return {
    createsPath: false,
    apply: (value) => {
      if (!Array.isArray(value))
        throw path.error(`must apply to an array, not ${quote(value ?? null)}`)
      if (value.length === 0) return value
      return operand === 1 ? value.slice(0, -1) : value.slice(1)
    },
  }
}
