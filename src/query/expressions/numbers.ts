import { Double } from './value.js'
import type { NumericValue } from './value.js'

/** The types of numbers in JSON documents, from the narrowest to the widest. */
export type NumberType = 'int' | 'long' | 'double'

const MIN_INT = -(2 ** 31)
const MAX_INT = 2 ** 31 - 1

/** The smallest and the largest `long`. */
export const MIN_LONG = -(2n ** 63n)
export const MAX_LONG = 2n ** 63n - 1n

/** Returns the BSON type of a number. */
export function getNumberType(value: NumericValue): NumberType {
  if (typeof value === 'bigint') return 'long'
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'double'
  if (value >= MIN_INT && value <= MAX_INT) return 'int'
  return Math.abs(value) < 2 ** 63 ? 'long' : 'double'
}

/** Returns the type that can hold both. */
export function widest(a: NumberType, b: NumberType): NumberType {
  if (a === 'double' || b === 'double') return 'double'
  return a === 'long' || b === 'long' ? 'long' : 'int'
}

/** Returns the nearest double. */
export const toDouble = (value: NumericValue): number =>
  value instanceof Double ? value.value : Number(value)

/** Returns a form that `<` and `===` compare by value; a `long` beyond 2^53 is exact. */
export const toComparable = (value: NumericValue): number | bigint =>
  value instanceof Double ? value.value : value

/** Creates a `double`. */
export const makeDouble = (value: number): NumericValue =>
  Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? new Double(value) : value

/** Creates an `int` if the integer has at most 32 bits, else a `long`. */
export const makeInteger = (value: bigint | number): NumericValue =>
  typeof value === 'number' || Number.isSafeInteger(Number(value)) ? Number(value) + 0 : value

/** Creates a `long`. */
export function makeLong(value: bigint): NumericValue {
  const number = Number(value)
  return Number.isSafeInteger(number) && (number < MIN_INT || number > MAX_INT) ? number : value
}

/** Creates an integer of the type: an `int` that needs more bits is a `long`. */
export const makeIntegerOf = (value: bigint, type: NumberType): NumericValue =>
  type === 'long' ? makeLong(value) : makeInteger(value)

/** Whether an integer has at most 64 bits. */
export const isLong = (value: bigint): boolean => value >= MIN_LONG && value <= MAX_LONG

/** Returns a whole number of any type, of at most 32 bits, or undefined. */
export function toInt(value: NumericValue): number | undefined {
  const number = toDouble(value)
  if (!Number.isInteger(number) || number < MIN_INT || number > MAX_INT) return undefined
  return number + 0
}

/** Returns a number without its fraction, or undefined if it is beyond 64 bits. */
export function toLong(value: NumericValue): bigint | undefined {
  if (typeof value === 'bigint') return value
  const number = Math.trunc(toDouble(value))
  return Math.abs(number) < 2 ** 63 || number === -(2 ** 63) ? BigInt(number) : undefined
}
