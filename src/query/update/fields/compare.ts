import type { InputPath } from '../../../json/input-path.js'
import type { Json } from '../../../json/json.js'
import { compareValues } from '../../values/compare-values.js'
import type { ValueUpdate } from '../field-update.js'
import { checkStoredValue } from '../stored-value-rules.js'

/**
 * Compiles `$min` or `$max`, which set a field to a value that is less or greater than its own, in
 * MongoDB's order of all types
 * (https://www.mongodb.com/docs/manual/reference/operator/update/min/). A missing field is set.
 * @param direction 1 for `$max`, -1 for `$min`
 * @throws BodyInvalid for a value that can't be stored
 */
export const compileCompare =
  (direction: 1 | -1) =>
  (operand: Json, path: InputPath): ValueUpdate => {
    checkStoredValue(operand, path)
    return {
      createsPath: true,
      apply: (value) =>
        value !== undefined && direction * compareValues(operand, value) <= 0 ? value : operand,
    }
  }
