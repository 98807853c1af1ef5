import { defineFunction, defineStrict } from '../../define-function.js'
import {
  getNumberType,
  isNullish,
  isNumeric,
  makeIntegerOf,
  toLong,
  widest,
} from '../../../values/value.js'
import type { NumberType, NumericValue, Value } from '../../../values/value.js'
import type { ParseContext, ParseOperator } from '../../parse-context.js'

/** Defines a function of integers that combines their bits from the left, until one is null. */
const define = (start: bigint, combine: (a: bigint, b: bigint) => bigint): ParseOperator =>
  defineFunction(
    (operands, context) => {
      let bits = start
      let type: NumberType = 'int'
      for (const operand of operands) {
        const value = operand()
        if (isNullish(value)) return null
        const integer = takeInteger(value, context)
        type = widest(type, getNumberType(integer))
        bits = combine(bits, toLong(integer) as bigint)
      }
      return makeIntegerOf(bits, type)
    },
    { folding: 'all' },
  )

function takeInteger(value: Value, context: ParseContext): NumericValue {
  if (isNumeric(value) && getNumberType(value) !== 'double') return value
  throw context.valueError('must be of int and long', value)
}

const invert = defineStrict(1, ([value], context) => {
  if (isNullish(value)) return null
  const integer = takeInteger(value, context)
  return makeIntegerOf(~(toLong(integer) as bigint), getNumberType(integer))
})

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#bitwise-operators */
export const BITS: Readonly<Record<string, ParseOperator>> = {
  $bitAnd: define(-1n, (a, b) => a & b),
  $bitNot: invert,
  $bitOr: define(0n, (a, b) => a | b),
  $bitXor: define(0n, (a, b) => a ^ b),
}
