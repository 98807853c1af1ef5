import type { InputPath } from '../../../json/input-path.js'
import type { Json } from '../../../json/json.js'
import { equalValues } from '../../values/compare-values.js'
import type { ValueUpdate } from '../field-update.js'
import { checkStoredValue } from '../stored-value-rules.js'

/**
 * Compiles `$set` (https://www.mongodb.com/docs/manual/reference/operator/update/set/).
 * @throws BodyInvalid for a value that can't be stored
 */
export function compileSet(operand: Json, path: InputPath): ValueUpdate {
  checkStoredValue(operand, path)
  return {
    createsPath: true,
    apply: (value) => (value !== undefined && equalValues(value, operand) ? value : operand),
  }
}

/**
 * Compiles `$unset`. As in MongoDB, the operand has no meaning
 * (https://www.mongodb.com/docs/manual/reference/operator/update/unset/).
 */
export const compileUnset = (): ValueUpdate => ({
  createsPath: false,
  ignoresBlockedPath: true,
  apply: () => undefined,
})
