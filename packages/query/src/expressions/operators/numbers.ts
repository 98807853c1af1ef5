import {
  getNumberType,
  isLong,
  makeDouble,
  makeIntegerOf,
  makeLong,
  MIN_LONG,
  toDouble,
  toLong,
  widest,
} from '../../values/value.js'
import type { NumberType, NumericValue, Value } from '../../values/value.js'
import { defineBinary, defineUnary, defineVariadic } from '../define-function.js'
import { INTEGER, NUMBER } from '../parse-context.js'
import type { ParseContext, ParseOperator } from '../parse-context.js'

interface Computation {
  readonly double: (a: number, b: number) => number
  readonly big: (a: bigint, b: bigint) => bigint
}

const ADD: Computation = { double: (a, b) => a + b, big: (a, b) => a + b }
const SUBTRACT: Computation = { double: (a, b) => a - b, big: (a, b) => a - b }

/** In the wider type. Integers are exact up to 64 bits, and become a `double` beyond. */
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
  const result = big(toLong(a)!, toLong(b)!)
  return isLong(result) ? makeIntegerOf(result, type) : makeDouble(double(toDouble(a), toDouble(b)))
}

/** Adds from the left. The type only ever widens. */
function add(numbers: readonly NumericValue[]): NumericValue {
  let total: NumericValue = 0
  let type: NumberType = 'int'
  for (const value of numbers) {
    type = widest(type, getNumberType(value))
    total = compute(total, value, ADD, type)
    // After an overflow, the sum remains a double.
    if (getNumberType(total) === 'double') type = 'double'
  }
  return total
}

/** Multiplies as doubles and as integers. If the integers overflow, it returns the product of the doubles. */
function multiply(numbers: readonly NumericValue[]): NumericValue {
  let double = 1
  let integer: bigint | number = 1
  let type: NumberType = 'int'
  for (const value of numbers) {
    type = widest(type, getNumberType(value))
    double *= toDouble(value)
    if (type === 'double') continue
    if (Number.isSafeInteger(double)) integer = double
    else integer = BigInt(integer) * toLong(value)!
    if (typeof integer === 'bigint' && !isLong(integer)) type = 'double'
  }
  return type === 'double' ? makeDouble(double) : makeIntegerOf(BigInt(integer), type)
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
  return makeIntegerOf(toLong(a)! % toLong(b)!, type)
}

/** Defines a function of one number that leaves integers as they are. */
const defineRounding = (round: (value: number) => number): ParseOperator =>
  defineUnary(NUMBER, (value) =>
    getNumberType(value) === 'double' ? makeDouble(round(toDouble(value))) : value,
  )

/** The numbers for which a function has a result, apart from NaN. */
interface Domain {
  readonly has: (value: number) => boolean
  readonly requirement: string
}

const POSITIVE: Domain = { has: (value) => value > 0, requirement: 'must be of a number above 0' }
const FINITE: Domain = { has: Number.isFinite, requirement: 'must be of a finite number' }
const RATIO: Domain = {
  has: (value) => value >= -1 && value <= 1,
  requirement: 'must be of a number from -1 to 1',
}

const fromLimit = (limit: number): Domain => ({
  has: (value) => value >= limit,
  requirement: `must be of a number from ${limit}`,
})

/** Defines a function of one number whose result is a `double`. */
const defineDouble = (computeDouble: (value: number) => number, domain?: Domain): ParseOperator =>
  defineUnary(NUMBER, (value, context) => {
    const number = toDouble(value)
    if (domain !== undefined && !Number.isNaN(number) && !domain.has(number))
      throw context.valueError(domain.requirement, value)
    return makeDouble(computeDouble(number))
  })

function computeAbsolute(value: NumericValue, { path }: ParseContext): Value {
  const type = getNumberType(value)
  if (type === 'double') return makeDouble(Math.abs(toDouble(value)))
  const integer = toLong(value)!
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
  // As in C, but not in JavaScript, 1 to any power is 1, and -1 to an infinite power is 1.
  const isOne = base === 1 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent))
  if (type === 'double') return makeDouble(isOne ? 1 : base ** exponent)
  const power = toExactPower(toLong(a)!, toLong(b)!)
  return power === undefined ? makeDouble(base ** exponent) : makeIntegerOf(power, type)
}

/** Returns the power of an integer, or undefined if it is not an integer of 64 bits. */
function toExactPower(base: bigint, exponent: bigint): bigint | undefined {
  if (base === 1n || base === 0n) return exponent === 0n ? 1n : base
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  if (exponent < 0n || exponent > 63n) return undefined
  const power = base ** exponent
  return isLong(power) ? power : undefined
}

/** Defines a function of integers that combines their bits from the left. */
const defineBits = (start: bigint, combine: (a: bigint, b: bigint) => bigint): ParseOperator =>
  defineVariadic(INTEGER, 'all', (integers) => {
    const bits = integers.reduce<bigint>((a, b) => combine(a, toLong(b)!), start)
    return makeIntegerOf(bits, integers.map(getNumberType).reduce(widest, 'int'))
  })

/**
 * Arithmetic, trigonometry and bits:
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/#arithmetic-expression-operators,
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/#trigonometry-expression-operators,
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/#bitwise-operators
 */
export const NUMBERS: Readonly<Record<string, ParseOperator>> = {
  $abs: defineUnary(NUMBER, computeAbsolute),
  $acos: defineDouble(Math.acos, RATIO),
  $acosh: defineDouble(Math.acosh, fromLimit(1)),
  $add: defineVariadic(NUMBER, 'left', add),
  $asin: defineDouble(Math.asin, RATIO),
  $asinh: defineDouble(Math.asinh),
  $atan: defineDouble(Math.atan),
  $atan2: defineBinary(NUMBER, (y, x) => makeDouble(Math.atan2(toDouble(y), toDouble(x)))),
  $atanh: defineDouble(Math.atanh, RATIO),
  $bitAnd: defineBits(-1n, (a, b) => a & b),
  $bitNot: defineUnary(INTEGER, (integer) =>
    makeIntegerOf(~toLong(integer)!, getNumberType(integer)),
  ),
  $bitOr: defineBits(0n, (a, b) => a | b),
  $bitXor: defineBits(0n, (a, b) => a ^ b),
  $ceil: defineRounding(Math.ceil),
  $cos: defineDouble(Math.cos, FINITE),
  $cosh: defineDouble(Math.cosh),
  $degreesToRadians: defineDouble((degrees) => degrees * (Math.PI / 180)),
  $divide: defineBinary(NUMBER, divide),
  $exp: defineDouble(Math.exp),
  $floor: defineRounding(Math.floor),
  $ln: defineDouble(Math.log, POSITIVE),
  $log: defineBinary(NUMBER, computeLogarithm),
  $log10: defineDouble(Math.log10, POSITIVE),
  $mod: defineBinary(NUMBER, computeRemainder),
  $multiply: defineVariadic(NUMBER, 'left', multiply),
  $pow: defineBinary(NUMBER, computePower),
  $radiansToDegrees: defineDouble((radians) => radians * (180 / Math.PI)),
  $sin: defineDouble(Math.sin, FINITE),
  $sinh: defineDouble(Math.sinh),
  $sqrt: defineDouble(Math.sqrt, fromLimit(0)),
  $subtract: defineBinary(NUMBER, (a, b) => compute(a, b, SUBTRACT)),
  $tan: defineDouble(Math.tan, FINITE),
  $tanh: defineDouble(Math.tanh),
}
