import { isJsonObject } from '@materials-mock/json'
import { getTypeByNumber, isTypeName } from '../../values/bson-types.js'
import {
  getNumberType,
  getTypeName,
  isLong,
  isNullish,
  isNumeric,
  isObject,
  isTruthy,
  makeDouble,
  makeInteger,
  makeLong,
  toDouble,
  toInt,
  toLong,
} from '../../values/value.js'
import type { Value } from '../../values/value.js'
import { defineStrict } from '../define-function.js'
import { fold } from '../parse-context.js'
import type { ParseContext, ParseOperator } from '../parse-context.js'
import { formatShortest, parseDouble } from './number-texts.js'

class ConversionFailure extends Error {}

/** The types that JSON values can't have. Conversions to them are not supported. */
const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(['date', 'decimal', 'objectId', 'binData'])

/** Converts a value to a type. Other types have no conversion. */
function convert(value: Value, type: string, context: ParseContext): Value {
  const from = getTypeName(value)
  if (UNSUPPORTED_TYPES.has(type))
    throw context.path.error(`is not supported: a conversion to ${type}`)
  if (type === 'bool')
    return typeof value === 'boolean' || isNumeric(value) ? isTruthy(value) : true
  const isScalar = from !== 'array' && from !== 'object'
  if (isScalar && type === 'string') {
    // Writing the digits of a double takes longer than other conversions.
    context.scope.spend(4)
    return toString(value)
  }
  if (isScalar && type === 'double') return toDoubleValue(value)
  if (isScalar && (type === 'int' || type === 'long')) return toInteger(value, type)
  throw new ConversionFailure(`has no conversion from ${from} to ${type}`)
}

function toString(value: Value): string {
  if (!isNumeric(value)) return String(value)
  return getNumberType(value) === 'double' ? formatShortest(toDouble(value)) : String(value)
}

function toDoubleValue(value: Value): Value {
  if (typeof value !== 'string')
    return makeDouble(isNumeric(value) ? toDouble(value) : Number(value))
  const parsed = parseDouble(value)
  if (parsed !== undefined) return makeDouble(parsed)
  throw new ConversionFailure(
    `has no conversion from ${JSON.stringify(value.slice(0, 60))} to double`,
  )
}

/** Truncates a number. A string must be an integer. */
function toInteger(value: Value, type: 'int' | 'long'): Value {
  if (typeof value === 'string') return parseInteger(value, type)
  const integer = typeof value === 'boolean' ? BigInt(value) : toLong(value)
  if (integer === undefined) {
    throw new ConversionFailure(
      `has no conversion from ${String(toDouble(value as never))} to ${type}`,
    )
  }
  return toIntegerOf(integer, type, isNumeric(value) ? toDouble(value) : 0)
}

/** A double just beyond the largest `int` is out of range, although its integer part is not. */
function toIntegerOf(integer: bigint, type: 'int' | 'long', exact = 0): Value {
  if (type === 'long' && isLong(integer)) return makeLong(integer)
  const isInt =
    toInt(makeInteger(integer)) !== undefined && exact <= 2 ** 31 - 1 && exact >= -(2 ** 31)
  if (type === 'int' && isInt) return makeInteger(integer)
  throw new ConversionFailure(`has no conversion from ${integer} to ${type}, which is too small`)
}

/** The largest number of digits that are read. The time of reading them grows with its square. */
const MAX_DIGITS = 400

function parseInteger(text: string, type: 'int' | 'long'): Value {
  const digits = text.replace(/^[+-]?0*/, '')
  if (/^[+-]?\d+$/.test(text) && digits.length <= MAX_DIGITS)
    return toIntegerOf(BigInt(`${text.startsWith('-') ? '-' : ''}${digits || 0}`), type)
  throw new ConversionFailure(
    `has no conversion from ${JSON.stringify(text.slice(0, 60))} to ${type}`,
  )
}

/** Returns the name of the type `to`, or undefined for null. */
function takeType(value: Value, context: ParseContext): string | undefined {
  const to = isObject(value) ? takeTypeField(value, context) : value
  if (isNullish(to)) return undefined
  const code = toInt(to)
  const name = code === undefined ? to : getTypeByNumber(code)
  if (name === 'missing' || isTypeName(name)) return name as string
  throw context.valueError('must be the name or the number of a BSON type', to)
}

function takeTypeField(value: { readonly [name: string]: Value }, { path }: ParseContext): Value {
  const names = Object.keys(value)
  if (names.length === 1 && 'type' in value) return value.type
  throw path.error(`must have the type alone, not ${names.join(', ') || 'nothing'}`)
}

/** Parses `{input, to, onError, onNull}`. */
const parseConvert: ParseOperator = (operand, context) => {
  if (isJsonObject(operand) && 'format' in operand)
    throw context.child('format').path.error('is not supported')
  const operands = context.parseNamed(operand, ['input', 'to'], ['onError', 'onNull'])
  const { input, to, onError, onNull } = operands
  const evaluate = (): Value => {
    context.scope.spend(1)
    const type = takeType(to.evaluate(), context.child('to'))
    const value = input.evaluate()
    if (isNullish(value)) return onNull === undefined ? null : onNull.evaluate()
    if (type === undefined) return null
    try {
      return convert(value, type, context)
    } catch (error) {
      if (!(error instanceof ConversionFailure)) throw error
      if (onError !== undefined) return onError.evaluate()
      throw context.path.error(error.message)
    }
  }
  return fold({ evaluate }, Object.values(operands), context)
}

/** Defines a short form of `$convert`. The result for null is null. */
const defineConversion = (type: string): ParseOperator =>
  defineStrict(1, ([value], context) => {
    if (isNullish(value)) return null
    try {
      return convert(value, type, context)
    } catch (error) {
      throw error instanceof ConversionFailure ? context.path.error(error.message) : error
    }
  })

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#type-expression-operators */
export const CONVERSIONS: Readonly<Record<string, ParseOperator>> = {
  $convert: parseConvert,
  $isNumber: defineStrict(1, ([value]) => isNumeric(value)),
  $toBool: defineConversion('bool'),
  $toDouble: defineConversion('double'),
  $toInt: defineConversion('int'),
  $toLong: defineConversion('long'),
  $toString: defineConversion('string'),
  $type: defineStrict(1, ([value]) => getTypeName(value)),
}
