import { defineFunction, defineStrict } from '../../define-function.js'
import type { Apply } from '../../define-function.js'
import { equalValues } from '../../../values/compare-values.js'
import { isArray, isNullish, isNumeric, toInt } from '../../../values/value.js'
import { constant } from '../../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../../parse-context.js'
import type { Value } from '../../../values/value.js'

/** Returns an integer of 32 bits. */
function takeInt(value: Value, name: string, context: ParseContext): number {
  const integer = isNumeric(value) ? toInt(value) : undefined
  if (integer === undefined)
    throw context.valueError(`must have ${name} that is an integer of 32 bits`, value)
  return integer
}

function takeArray(value: Value, context: ParseContext): readonly Value[] {
  if (isArray(value)) return value
  throw context.valueError('must be of an array', value)
}

/** Defines a function of one array, which is null for null. */
const defineOfArray = (
  compute: (array: readonly Value[], context: ParseContext) => Value,
): ParseOperator =>
  defineStrict(1, ([value], context) =>
    isNullish(value) ? null : compute(takeArray(value, context), context),
  )

/** Returns an element, which is missing beyond the ends; -1 is the last. */
const elementAt = defineStrict(2, ([array, position], context) => {
  if (isNullish(array) || isNullish(position)) return null
  return takeArray(array, context).at(takeInt(position, 'a position', context))
})

const concatArrays: Apply = (operands, context) => {
  const joined: Value[] = []
  for (const operand of operands) {
    const array = operand()
    if (isNullish(array)) return null
    const elements = takeArray(array, context)
    context.scope.spend(elements.length)
    for (const element of elements) joined.push(element)
  }
  return joined
}

function toIndex(value: Value, name: string, context: ParseContext): number {
  const index = takeInt(value, name, context)
  if (index < 0) throw context.valueError(`must have ${name} from 0`, value)
  return index
}

/** `[array, value, start, end]`: returns the first position of the value, or -1. */
const indexOfArray: Apply = ([operand, searched, start, end], context) => {
  const value = operand?.()
  if (isNullish(value)) return null
  const array = takeArray(value, context)
  const from = start === undefined ? 0 : toIndex(start(), 'a start', context)
  const to = end === undefined ? array.length : toIndex(end(), 'an end', context)
  const target = searched?.()
  for (let index = from; index < Math.min(to, array.length); index += 1) {
    context.scope.spend(1)
    if (equalValues(array[index], target, context.scope)) return index
  }
  return -1
}

/** Checks a constant array when the expression is parsed; for null the result is null. */
function checkArray([array]: readonly Expression[], context: ParseContext): Expression | undefined {
  if (array?.constant === undefined) return undefined
  if (isNullish(array.constant.value)) return constant(null)
  takeArray(array.constant.value, context)
  return undefined
}

/** `[start, end, step]`: returns the integers from the start up to, but not including, the end. */
const range: Apply = ([start, end, step], context) => {
  let current = takeInt(start?.(), 'a start', context)
  const last = takeInt(end?.(), 'an end', context)
  const distance = step === undefined ? 1 : takeInt(step(), 'a step', context)
  if (distance === 0) throw context.path.error('must have a step other than 0')
  const length = Math.max(0, Math.ceil((last - current) / distance))
  context.scope.spend(length)
  const integers: number[] = []
  for (; integers.length < length; current += distance) integers.push(current)
  return integers
}

/** `[array, count]` or `[array, position, count]`; negative ones are from the end. */
const slice: Apply = ([operand, second, third], context) => {
  const value = operand?.()
  const amount = second?.()
  if (isNullish(value) || isNullish(amount)) return null
  const array = takeArray(value, context)
  context.scope.spend(array.length)
  if (third === undefined) {
    const count = takeInt(amount, 'a count', context)
    return count >= 0 ? array.slice(0, count) : array.slice(count)
  }
  const position = takeInt(amount, 'a position', context)
  const start = position < 0 ? Math.max(0, array.length + position) : position
  const countValue = third()
  if (isNullish(countValue)) return null
  const count = takeInt(countValue, 'a count', context)
  if (count <= 0) throw context.valueError('must have a count above 0', countValue)
  return array.slice(start, start + count)
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#array-expression-operators */
export const ARRAYS: Readonly<Record<string, ParseOperator>> = {
  $arrayElemAt: elementAt,
  $concatArrays: defineFunction(concatArrays, { folding: 'runs' }),
  $first: defineOfArray((array) => array[0]),
  $indexOfArray: defineFunction(indexOfArray, { min: 2, max: 4, check: checkArray }),
  $isArray: defineStrict(1, ([value]) => isArray(value)),
  $last: defineOfArray((array) => array.at(-1)),
  $range: defineFunction(range, { min: 2, max: 3 }),
  $reverseArray: defineOfArray((array, { scope }) => {
    scope.spend(array.length)
    return array.toReversed()
  }),
  $size: defineStrict(1, ([value], context) => takeArray(value, context).length),
  $slice: defineFunction(slice, { min: 2, max: 3 }),
}
