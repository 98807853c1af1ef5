import { defineStrict } from '../../define-function.js'
import { isNullish, isNumeric, makeDouble, toDouble } from '../../../values/value.js'
import type { ParseOperator } from '../../parse-context.js'

/** Defines a function of one number, an angle in radians or a ratio; its result is a `double`. */
const define = (
  compute: (value: number) => number,
  isAllowed: (value: number) => boolean,
  requirement: string,
): ParseOperator =>
  defineStrict(1, ([value], context) => {
    if (isNullish(value)) return null
    if (!isNumeric(value)) throw context.valueError('must be of a number', value)
    const number = toDouble(value)
    if (!Number.isNaN(number) && !isAllowed(number)) throw context.valueError(requirement, value)
    return makeDouble(compute(number))
  })

const defineOfFinite = (compute: (value: number) => number): ParseOperator =>
  define(compute, Number.isFinite, 'must be of a finite number')

const defineOfRatio = (compute: (value: number) => number): ParseOperator =>
  define(compute, (value) => value >= -1 && value <= 1, 'must be of a number from -1 to 1')

const defineOfAny = (compute: (value: number) => number): ParseOperator =>
  define(compute, () => true, '')

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#trigonometry-expression-operators */
export const TRIGONOMETRY: Readonly<Record<string, ParseOperator>> = {
  $acos: defineOfRatio(Math.acos),
  $acosh: define(Math.acosh, (value) => value >= 1, 'must be of a number from 1'),
  $asin: defineOfRatio(Math.asin),
  $asinh: defineOfAny(Math.asinh),
  $atan: defineOfAny(Math.atan),
  $atan2: defineStrict(2, ([y, x], context) => {
    if (isNullish(y) || isNullish(x)) return null
    if (isNumeric(y) && isNumeric(x)) return makeDouble(Math.atan2(toDouble(y), toDouble(x)))
    throw context.valueError('must be of numbers', isNumeric(y) ? x : y)
  }),
  $atanh: defineOfRatio(Math.atanh),
  $cos: defineOfFinite(Math.cos),
  $cosh: defineOfAny(Math.cosh),
  $degreesToRadians: defineOfAny((degrees) => degrees * (Math.PI / 180)),
  $radiansToDegrees: defineOfAny((radians) => radians * (180 / Math.PI)),
  $sin: defineOfFinite(Math.sin),
  $sinh: defineOfAny(Math.sinh),
  $tan: defineOfFinite(Math.tan),
  $tanh: defineOfAny(Math.tanh),
}
