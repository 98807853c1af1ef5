import type { InputPath } from '../../../json/input-path.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import type { ValueUpdate } from '../field-update.js'

/**
 * Compiles `$inc`, which adds a number to a field
 * (https://www.mongodb.com/docs/manual/reference/operator/update/inc/). A missing field counts as 0.
 * @throws BodyInvalid for an operand that is not a number
 */
export const compileInc = (operand: Json, path: InputPath): ValueUpdate =>
  compileArithmetic(operand, path, '+', (value, number) => value + number)

/**
 * Compiles `$mul`, which multiplies a field by a number
 * (https://www.mongodb.com/docs/manual/reference/operator/update/mul/). A missing field counts as 0.
 * @throws BodyInvalid for an operand that is not a number
 */
export const compileMul = (operand: Json, path: InputPath): ValueUpdate =>
  compileArithmetic(operand, path, '*', (value, number) => value * number)

function compileArithmetic(
  operand: Json,
  path: InputPath,
  sign: string,
  calculate: (value: number, operand: number) => number,
): ValueUpdate {
  if (typeof operand !== 'number') throw path.error(`must be a number, not ${quote(operand)}`)
  return {
    createsPath: true,
    apply: (value = 0) => {
      if (typeof value !== 'number') throw path.error(`must apply to a number, not ${quote(value)}`)
      const result = calculate(value, operand)
      if (!Number.isFinite(result)) {
        throw path.error(
          `must result in a number that a double can hold, not ${value} ${sign} ${operand}`,
        )
      }
      // MongoDB has 64 bits for the result of two integers.
      if (isInteger64(value) && isInteger64(operand) && !isInteger64(result)) {
        throw path.error(
          `must result in an integer within 64 bits, not ${value} ${sign} ${operand}`,
        )
      }
      // JSON has no -0.
      return result + 0
    },
  }
}

const isInteger64 = (value: number): boolean =>
  Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63
