import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { equalValues } from '../values/compare-values.js'
import { compileAddToSet } from './add-to-set.js'
import type { ValueUpdate } from './field-update.js'
import { compilePull } from './pull.js'
import { compilePush } from './push.js'
import { checkStoredValue } from './stored-value-rules.js'

/**
 * The update operators (https://www.mongodb.com/docs/manual/reference/operator/update/). Each
 * function compiles the operand for one field. It takes the operand's path in the body, and throws
 * BodyInvalid for an operand that MongoDB rejects.
 */
export const UPDATE_OPERATORS = {
  $set: compileSet,
  $unset: compileUnset,
  $inc: compileInc,
  $push: compilePush,
  $addToSet: compileAddToSet,
  $pull: compilePull,
}

/** The name of a supported update operator. */
export type UpdateOperator = keyof typeof UPDATE_OPERATORS

function compileSet(operand: Json, path: InputPath): ValueUpdate {
  checkStoredValue(operand, path)
  return {
    createsPath: true,
    apply: (value) => (value !== undefined && equalValues(value, operand) ? value : operand),
  }
}

// MongoDB ignores the operand.
function compileUnset(): ValueUpdate {
  return { createsPath: false, apply: () => undefined }
}

function compileInc(operand: Json, path: InputPath): ValueUpdate {
  if (typeof operand !== 'number') throw path.error(`must be a number, not ${quote(operand)}`)
  return {
    createsPath: true,
    apply: (value = 0) => {
      if (typeof value !== 'number') throw path.error(`must apply to a number, not ${quote(value)}`)

      const sum = value + operand
      if (Number.isFinite(sum)) return sum
      throw path.error(`must result in a number that a double can hold, not ${value} + ${operand}`)
    },
  }
}
