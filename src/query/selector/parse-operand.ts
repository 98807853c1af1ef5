import { describeClosest } from '../../json/describe-closest.js'
import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { parseTypes } from '../values/bson-types.js'
import { isInt64, parseBitMask } from './bits.js'
import { FIELD_OPERATORS, isOperatorObject } from './operator-names.js'

/**
 * Parses the operand of an operator of a field into the form that `operators.ts` requires.
 * @throws the path's error for an unknown operator and for an operand that MongoDB rejects
 */
export function parseOperand(operator: string, operand: Json, path: InputPath): unknown {
  switch (operator) {
    case '$eq':
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return operand
    case '$in':
      return parseIn(operand, path)
    case '$size':
      return parseSize(operand, path)
    case '$mod':
      return parseMod(operand, path)
    case '$type':
      return parseTypes(operand, path)
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return parseBitMask(operand, path)
    default:
      throw path.error(
        `is not an operator of a field${describeClosest(operator, ['$not', ...FIELD_OPERATORS])}`,
      )
  }
}

function parseIn(operand: Json, path: InputPath): readonly Json[] {
  if (!Array.isArray(operand)) throw path.error(`must be an array, not ${quote(operand)}`)
  for (const [index, entry] of (operand as readonly Json[]).entries()) {
    if (isOperatorObject(entry))
      throw path.child(index).error(`must be a value, not the operator ${quote(entry)}`)
  }
  return operand
}

function parseSize(operand: Json, path: InputPath): number {
  if (typeof operand === 'number' && Number.isInteger(operand))
    if (operand >= 0 && operand < 2 ** 31) return operand

  throw path.error(`must be an integer from 0 to 2147483647, not ${quote(operand)}`)
}

function parseMod(operand: Json, path: InputPath): readonly [divisor: number, remainder: number] {
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumber))
    throw path.error(`must be an array of two numbers, not ${quote(operand)}`)

  // MongoDB truncates both numbers.
  const [divisor, remainder] = operand.map((number) => Math.trunc(number)) as [number, number]
  if (!isInt64(divisor) || !isInt64(remainder))
    throw path.error(`must be within 64 bits, not ${quote(operand)}`)
  if (divisor === 0) throw path.error(`must have a divisor other than 0, not ${quote(operand)}`)
  return [divisor, remainder]
}

const isNumber = (value: Json): value is number => typeof value === 'number'
