import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { findItemOperator } from '../../selector/ast.js'
import { compileExpressions } from '../../selector/compile-expressions.js'
import { checkPatternSizes } from '../../selector/compile-regex.js'
import { FIELD_OPERATORS, getFirstKey } from '../../selector/operator-names.js'
import { parseOperators, parseSelector } from '../../selector/parse-selector.js'
import { equalValues } from '../../values/compare-values.js'
import type { ValueUpdate } from '../field-update.js'
import { checkCondition } from '../stored-value-rules.js'

/**
 * Compiles `$pull`, which removes the matching entries of an array. An object of operators matches
 * each entry, another object is a query for entries that are objects, any other operand matches the
 * entries that equal it (https://www.mongodb.com/docs/manual/reference/operator/update/pull/).
 * @throws BodyInvalid for a condition that MongoDB rejects
 */
export function compilePull(operand: Json, path: InputPath): ValueUpdate {
  const matches = compileCondition(operand, path)
  return {
    createsPath: false,
    needsTimeout: matches.needsTimeout,
    apply: (value) => {
      if (!Array.isArray(value))
        throw path.error(`must apply to an array, not ${quote(value ?? null)}`)

      const remaining = value.filter((entry: Json) => !matches(entry))
      return remaining.length === value.length ? value : remaining
    },
  }
}

/** Matches an entry of an array. */
interface Condition {
  (entry: Json): boolean
  /** Whether an array can take long. */
  readonly needsTimeout: boolean
}

function compileCondition(operand: Json, path: InputPath): Condition {
  checkCondition(operand, path)
  if (!isJsonObject(operand)) {
    const equals = (entry: Json): boolean => equalValues(entry, operand)
    return Object.assign(equals, { needsTimeout: false })
  }
  // The first key decides, and `$not` is none of these, so MongoDB refuses it.
  const isOfOperators = FIELD_OPERATORS.has(getFirstKey(operand) ?? '')
  const expressions = isOfOperators
    ? parseOperators('', operand, path)
    : parseSelector(operand, path)
  const itemOperator = findItemOperator(expressions)
  if (itemOperator !== undefined) throw path.error(`must not use ${itemOperator}`)
  checkPatternSizes(expressions, path)
  const matches = compileExpressions(expressions, 'object')
  // MongoDB applies operators to an entry as to a field, so that they also match the elements of an
  // entry that is an array. The expressions have an empty path.
  const condition = (entry: Json): boolean =>
    isOfOperators ? matches({ '': entry }) : isJsonObject(entry) && matches(entry)
  return Object.assign(condition, { needsTimeout: true })
}
