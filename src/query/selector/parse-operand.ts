import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { bitMask, isInt64 } from './bits.js'
import { typeNames } from '../values/bson-types.js'

/**
 * The operand of an operator, checked at parse time and brought to the form that the operator in
 * `operators.ts` works with. Throws for an unknown operator and for an operand that MongoDB refuses.
 */
export function parseOperand(operator: string, operand: Json, place: InputPath): unknown {
  switch (operator) {
    case '$eq':
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return operand
    case '$in':
      return checkIn(operand, place)
    case '$size':
      return checkSize(operand, place)
    case '$mod':
      return checkMod(operand, place)
    case '$type':
      return typeNames(operand, place)
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return bitMask(operand, place)
    default:
      throw place.error('is no operator on a field')
  }
}

function checkIn(operand: Json, place: InputPath): readonly Json[] {
  if (!Array.isArray(operand)) throw place.error(`must be a list, not ${quote(operand)}`)
  for (const [index, entry] of (operand as readonly Json[]).entries()) {
    if (!isJsonObject(entry) || !Object.keys(entry)[0]?.startsWith('$')) continue
    if ('$ref' in entry && '$id' in entry) continue
    throw place.child(index).error(`must be a value, not the operator ${quote(entry)}`)
  }
  return operand
}

function checkSize(operand: Json, place: InputPath): number {
  if (typeof operand === 'number' && Number.isInteger(operand))
    if (operand >= 0 && operand < 2 ** 31) return operand

  throw place.error(`must be a whole number from 0 to 2147483647, not ${quote(operand)}`)
}

function checkMod(operand: Json, place: InputPath): readonly [divisor: number, remainder: number] {
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumber))
    throw place.error(`must be a list of two numbers, not ${quote(operand)}`)

  // Fractions are cut off, as MongoDB does with both.
  const [divisor, remainder] = operand.map((number) => Math.trunc(number)) as [number, number]
  for (const number of [divisor, remainder])
    if (!isInt64(number)) throw place.error(`must be within 64 bits, not ${quote(operand)}`)

  if (divisor === 0) throw place.error(`must have a divisor other than 0, not ${quote(operand)}`)
  return [divisor, remainder]
}

const isNumber = (value: Json): value is number => typeof value === 'number'
