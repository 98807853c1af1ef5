import { defineFunction, defineStrict } from '../../define-function.js'
import type { Apply } from '../../define-function.js'
import {
  getNumberType,
  isLong,
  isNullish,
  isNumeric,
  makeDouble,
  makeIntegerOf,
  makeLong,
  MIN_LONG,
  toDouble,
  toLong,
  widest,
} from '../../../values/value.js'
import type { NumberType, NumericValue, Value } from '../../../values/value.js'
import type { Evaluate, ParseContext, ParseOperator } from '../../parse-context.js'

/** A computation on two numbers, for doubles and for exact integers. */
interface Computation {
  readonly double: (a: number, b: number) => number
  readonly big: (a: bigint, b: bigint) => bigint
}

const ADD: Computation = { double: (a, b) => a + b, big: (a, b) => a + b }
const SUBTRACT: Computation = { double: (a, b) => a - b, big: (a, b) => a - b }

/**
 * Computes in the wider of the two types. Integers stay exact; beyond 64 bits they become a
 * `double`, and the result of two `int` that needs more bits becomes a `long`.
 */
function compute(
  a: NumericValue,
  b: NumericValue,
  { double, big }: Computation,
  type = widest(getNumberType(a), getNumberType(b)),
): NumericValue {
  if (type === 'double') return makeDouble(double(toDouble(a), toDouble(b)))
  if (typeof a === 'number' && typeof b === 'number') {
    const result = double(a, b)
    if (Number.isSafeInteger(result)) return type === 'int' ? result + 0 : makeLong(BigInt(result))
  }
  const result = big(toLong(a) as bigint, toLong(b) as bigint)
  return isLong(result) ? makeIntegerOf(result, type) : makeDouble(double(toDouble(a), toDouble(b)))
}

/** Returns the next operand's number, or undefined for null. */
function takeNumber(operand: Evaluate, context: ParseContext): NumericValue | undefined {
  const value = operand()
  if (isNullish(value)) return undefined
  if (!isNumeric(value)) throw context.valueError('must be of numbers', value)
  return value
}

/** Adds from the left, until an operand is null. The type only ever widens. */
const add: Apply = (operands, context) => {
  let total: NumericValue = 0
  let type: NumberType = 'int'
  for (const operand of operands) {
    const value = takeNumber(operand, context)
    if (value === undefined) return null
    type = widest(type, getNumberType(value))
    total = compute(total, value, ADD, type)
    // An overflow makes a double of it for good.
    if (getNumberType(total) === 'double') type = 'double'
  }
  return total
}

/** Multiplies doubles beside integers: an overflow returns the product of the doubles. */
const multiply: Apply = (operands, context) => {
  let double = 1
  let integer: bigint | number = 1
  let type: NumberType = 'int'
  for (const operand of operands) {
    const value = takeNumber(operand, context)
    if (value === undefined) return null
    type = widest(type, getNumberType(value))
    double *= toDouble(value)
    if (type === 'double') continue
    if (Number.isSafeInteger(double)) integer = double
    else integer = BigInt(integer) * (toLong(value) as bigint)
    if (typeof integer === 'bigint' && !isLong(integer)) type = 'double'
  }
  return type === 'double' ? makeDouble(double) : makeIntegerOf(BigInt(integer), type)
}

/** Returns null if one of two values is, else computes. */
const onNumbers =
  (computeNumbers: (a: NumericValue, b: NumericValue, context: ParseContext) => Value) =>
  ([a, b]: readonly Value[], context: ParseContext): Value => {
    if (isNumeric(a) && isNumeric(b)) return computeNumbers(a, b, context)
    if (isNullish(a) || isNullish(b)) return null
    throw context.valueError('must be of numbers', isNumeric(a) ? b : a)
  }

function divide(a: NumericValue, b: NumericValue, { path }: ParseContext): Value {
  if (toDouble(b) === 0) throw path.error('must not divide by zero')
  return makeDouble(toDouble(a) / toDouble(b))
}

/** The remainder has the sign of the dividend. */
function computeRemainder(a: NumericValue, b: NumericValue, { path }: ParseContext): Value {
  if (toDouble(b) === 0) throw path.error('must not divide by zero')
  const type = widest(getNumberType(a), getNumberType(b))
  if (type === 'double') return makeDouble(toDouble(a) % toDouble(b))
  return makeIntegerOf((toLong(a) as bigint) % (toLong(b) as bigint), type)
}

/** Defines a function of one number, which is null for null. */
const defineUnary = (
  computeNumber: (value: NumericValue, context: ParseContext) => Value,
): ParseOperator =>
  defineStrict(1, ([value], context) => {
    if (isNullish(value)) return null
    if (!isNumeric(value)) throw context.valueError('must be of a number', value)
    return computeNumber(value, context)
  })

/** Defines a function of one number that leaves integers as they are. */
const defineRounding = (round: (value: number) => number): ParseOperator =>
  defineUnary((value) =>
    getNumberType(value) === 'double' ? makeDouble(round(toDouble(value))) : value,
  )

/** Defines a function whose result is a `double`. */
const defineDouble = (
  computeDouble: (value: number) => number,
  isAllowed: (value: number) => boolean = () => true,
  requirement = '',
): ParseOperator =>
  defineUnary((value, context) => {
    const number = toDouble(value)
    if (!Number.isNaN(number) && !isAllowed(number)) throw context.valueError(requirement, value)
    return makeDouble(computeDouble(number))
  })

function computeAbsolute(value: NumericValue, { path }: ParseContext): Value {
  const type = getNumberType(value)
  if (type === 'double') return makeDouble(Math.abs(toDouble(value)))
  const integer = toLong(value) as bigint
  if (integer === MIN_LONG) throw path.error('must not be of the smallest long')
  return makeIntegerOf(integer < 0n ? -integer : integer, type)
}

function computeLogarithm(a: NumericValue, b: NumericValue, context: ParseContext): Value {
  const [argument, base] = [toDouble(a), toDouble(b)]
  if (argument <= 0) throw context.valueError('must be of a number above 0', a)
  if (base <= 0 || base === 1) throw context.valueError('must have a base above 0 other than 1', b)
  return makeDouble(Math.log(argument) / Math.log(base))
}

function computePower(a: NumericValue, b: NumericValue, { path }: ParseContext): Value {
  const [base, exponent] = [toDouble(a), toDouble(b)]
  if (base === 0 && exponent < 0) throw path.error('must not raise 0 to a negative power')
  const type = widest(getNumberType(a), getNumberType(b))
  // As in C, and not as in JavaScript: 1 to any power is 1, and so is -1 to an infinite one.
  const isOne = base === 1 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent))
  if (type === 'double') return makeDouble(isOne ? 1 : base ** exponent)
  const power = toExactPower(toLong(a) as bigint, toLong(b) as bigint)
  return power === undefined ? makeDouble(base ** exponent) : makeIntegerOf(power, type)
}

/** Returns the power of an integer, or undefined if it is no integer of 64 bits. */
function toExactPower(base: bigint, exponent: bigint): bigint | undefined {
  if (base === 1n || base === 0n) return exponent === 0n ? 1n : base
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  if (exponent < 0n || exponent > 63n) return undefined
  const power = base ** exponent
  return isLong(power) ? power : undefined
}

const isPositive = (value: number): boolean => value > 0

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#arithmetic-expression-operators */
export const ARITHMETIC: Readonly<Record<string, ParseOperator>> = {
  $abs: defineUnary(computeAbsolute),
  $add: defineFunction(add, { folding: 'left' }),
  $ceil: defineRounding(Math.ceil),
  $divide: defineStrict(2, onNumbers(divide)),
  $exp: defineDouble(Math.exp),
  $floor: defineRounding(Math.floor),
  $ln: defineDouble(Math.log, isPositive, 'must be of a number above 0'),
  $log: defineStrict(2, onNumbers(computeLogarithm)),
  $log10: defineDouble(Math.log10, isPositive, 'must be of a number above 0'),
  $mod: defineStrict(2, onNumbers(computeRemainder)),
  $multiply: defineFunction(multiply, { folding: 'left' }),
  $pow: defineStrict(2, onNumbers(computePower)),
  $sqrt: defineDouble(Math.sqrt, (value) => value >= 0, 'must be of a number from 0'),
  $subtract: defineStrict(
    2,
    onNumbers((a, b) => compute(a, b, SUBTRACT)),
  ),
}
