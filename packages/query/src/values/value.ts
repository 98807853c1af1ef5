import { quote } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'

/** Such as the result of `{"$divide": [4, 2]}`. A plain whole number is an `int` or a `long`. */
export class Double {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/**
 * A number with its BSON type:
 * - a `number` is an `int` if it is whole and has at most 32 bits, a `long` if it is whole and has
 *   at most 64 bits, else a `double`;
 * - a `bigint` is a `long` that a `number` can't express: of at most 32 bits, or beyond 2^53;
 * - a `Double` is a whole `double`.
 */
export type NumericValue = number | bigint | Double

/** A value of an expression. Undefined is a missing value, which MongoDB distinguishes from null. */
export type Value =
  undefined | null | boolean | string | NumericValue | readonly Value[] | ValueObject

/** An object of an expression. Every stored object is such an object. */
export interface ValueObject {
  readonly [name: string]: Value
}

export const isObject = (value: Value): value is ValueObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Double)

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isNullish = (value: Value): value is null | undefined =>
  value === null || value === undefined

export const isNumeric = (value: Value): value is NumericValue =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double

/**
 * Returns the name of a value's BSON type, as `$type` does; `missing` for a missing value. A JSON
 * number has the type that MongoDB gives it when it is imported: JSON does not distinguish 1 from 1.0.
 */
export function getTypeName(value: Value): string {
  switch (typeof value) {
    case 'undefined':
      return 'missing'
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
    case 'number':
      return getNumberType(value)
    default:
      if (value === null) return 'null'
      if (value instanceof Double) return 'double'
      return Array.isArray(value) ? 'array' : 'object'
  }
}

/** Whether a value counts as true: every value except false, null, 0 and a missing value. */
export function isTruthy(value: Value): boolean {
  if (value instanceof Double) return value.value !== 0
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'bigint') return value !== 0n
  return value !== false && !isNullish(value)
}

/** Describes a value for a message: `the string "x"`, `the array [1,2]`, `a missing value`. */
export function describeValue(value: Value): string {
  if (value === undefined) return 'a missing value'
  if (value === null || typeof value === 'boolean') return String(value)
  return `the ${getTypeName(value)} ${quote(toPlain(value))}`
}

/** Replaces the numbers that JSON can't express, for messages. */
function toPlain(value: Value, levels = 3): Json {
  if (value instanceof Double) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json
  if (levels === 0) return Array.isArray(value) ? ['…'] : '…'
  if (Array.isArray(value))
    return value.slice(0, 20).map((element: Value) => toPlain(element, levels - 1))
  const fields = Object.entries(value).slice(0, 20)
  return Object.fromEntries(fields.map(([name, field]) => [name, toPlain(field, levels - 1)]))
}

/** The types of numbers in JSON documents, from the narrowest to the widest. */
export type NumberType = 'int' | 'long' | 'double'

/** The smallest and the largest `long`. */
export const MIN_LONG = -(2n ** 63n)
const MAX_LONG = 2n ** 63n - 1n

/** Whether a number is an integer of at most 32 bits. */
const isInt32 = (value: number): boolean => value === (value | 0)

export const isInt64 = (value: number): boolean =>
  Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63

export function getNumberType(value: NumericValue): NumberType {
  if (typeof value === 'bigint') return 'long'
  if (typeof value !== 'number') return 'double'
  if (isInt32(value)) return 'int'
  return isInt64(value) ? 'long' : 'double'
}

/** Returns the type that can hold both. */
export function widest(a: NumberType, b: NumberType): NumberType {
  if (a === 'double' || b === 'double') return 'double'
  return a === 'long' || b === 'long' ? 'long' : 'int'
}

export const toDouble = (value: NumericValue): number =>
  value instanceof Double ? value.value : Number(value)

export const makeDouble = (value: number): NumericValue =>
  isInt64(value) ? new Double(value) : value

/** Creates an `int` if the integer has at most 32 bits, else a `long`. */
export const makeInteger = (value: bigint | number): NumericValue =>
  typeof value === 'number' || Number.isSafeInteger(Number(value)) ? Number(value) + 0 : value

export function makeLong(value: bigint): NumericValue {
  const number = Number(value)
  return Number.isSafeInteger(number) && !isInt32(number) ? number : value
}

/** Creates an integer of the type: an `int` that needs more bits is a `long`. */
export const makeIntegerOf = (value: bigint, type: NumberType): NumericValue =>
  type === 'long' ? makeLong(value) : makeInteger(value)

/** Whether an exact integer has at most 64 bits. */
export const isLong = (value: bigint): boolean => value >= MIN_LONG && value <= MAX_LONG

/** Returns a whole number of at most 32 bits, or undefined for any other value. */
export function toInt(value: Value): number | undefined {
  const number = isNumeric(value) ? toDouble(value) : NaN
  return isInt32(number) ? number + 0 : undefined
}

/** Returns a number without its fraction, or undefined for a number beyond 64 bits and for any other value. */
export function toLong(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  const number = isNumeric(value) ? Math.trunc(toDouble(value)) : NaN
  return isInt64(number) ? BigInt(number) : undefined
}

/** Counts the characters (code points) of a part of a text. A pair of surrogates counts as one. */
export function countCodePoints(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let unit = from; unit < to; count += 1) unit += countUnits(text, unit)
  return count
}

/** Returns the number of UTF-16 units of the character at a position. */
export const countUnits = (text: string, unit: number): 1 | 2 =>
  text.codePointAt(unit)! > 0xffff ? 2 : 1
