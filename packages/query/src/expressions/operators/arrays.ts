import { quote } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { compareValues, equalValues } from '../../values/compare-values.js'
import { compileElementOrder } from '../../values/element-order.js'
import { isArray, isNullish, toDouble, toInt, toLong } from '../../values/value.js'
import type { Value } from '../../values/value.js'
import { defineFunction, defineStrict, defineUnary, defineVariadic } from '../define-function.js'
import type { Apply } from '../define-function.js'
import { ARRAY, constant } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'
import type { Scope } from '../scope.js'

/** @param name the name of the value in a message: `a start` */
function takeInt(value: Value, name: string, context: ParseContext): number {
  const integer = toInt(value)
  if (integer !== undefined) return integer
  throw context.valueError(`must have ${name} that is an integer of 32 bits`, value)
}

/** Returns an integer of 32 bits from 0. */
export function takeIndex(value: Value, name: string, context: ParseContext): number {
  const index = takeInt(value, name, context)
  if (index >= 0) return index
  throw context.valueError(`must have ${name} from 0`, value)
}

/** Returns an element; -1 is the last. An element beyond the ends is missing. */
const elementAt = defineStrict(2, ([array, position], context) => {
  if (isNullish(array) || isNullish(position)) return null
  return context.take(ARRAY, array).at(takeInt(position, 'a position', context))
})

function concatArrays(arrays: readonly (readonly Value[])[], { scope }: ParseContext): Value {
  scope.spend(arrays.reduce((sum, { length }) => sum + length, 0))
  return arrays.flat()
}

/** `[array, value, start, end]`: returns the first position of the value, or -1. */
const indexOfArray: Apply = ([operand, searched, start, end], context) => {
  const value = operand?.()
  if (isNullish(value)) return null
  const array = context.take(ARRAY, value)
  const from = start === undefined ? 0 : takeIndex(start(), 'a start', context)
  const to = end === undefined ? array.length : takeIndex(end(), 'an end', context)
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
  context.take(ARRAY, array.constant.value)
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

/** `[array, count]` or `[array, position, count]`. Negative numbers count from the end. */
const slice: Apply = ([operand, second, third], context) => {
  const value = operand?.()
  const amount = second?.()
  if (isNullish(value) || isNullish(amount)) return null
  const array = context.take(ARRAY, value)
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

type Select = (array: readonly Value[], n: number, scope: Scope) => readonly Value[]

/** MongoDB evaluates arguments only for an item, so constant ones cause no error before. */
const defineSelection =
  (select: Select): ParseOperator =>
  (operand, context) => {
    const { n, input } = context.withFolding(false).parseNamed(operand, ['n', 'input'])
    return { evaluate: () => select(...takeSelection(n, input, context), context.scope) }
  }

function takeSelection(
  n: Expression,
  input: Expression,
  context: ParseContext,
): [array: readonly Value[], n: number] {
  const count = n.evaluate()
  const integer = toLong(count)
  if (integer === undefined || integer <= 0n || Number(integer) !== toDouble(count as never))
    throw context.child('n').valueError('must be an integer above 0', count)
  const array = context.take(ARRAY, input.evaluate(), 'input')
  context.scope.spend(array.length)
  return [array, Number(integer)]
}

/** Sorts the elements, without null and missing elements. */
const sortPresent = (array: readonly Value[], scope: Scope, direction: 1 | -1): readonly Value[] =>
  array
    .filter((element) => !isNullish(element))
    .toSorted((a, b) => direction * compareValues(a, b, scope))

/**
 * Parses `{input, sortBy}`: 1 or -1 sorts by whole elements, an object by fields. A missing field
 * counts as null, and an array is compared as a whole.
 */
const parseSortArray: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['input', 'sortBy'], [])
  const input = context.parseArgument(operands, 'input')
  const compareElements = compileElementOrder(operands.sortBy, context.child('sortBy').path)
  const { scope } = context
  return {
    evaluate: () => {
      const value = input.evaluate()
      if (isNullish(value)) return null
      const array = context.take(ARRAY, value, 'input')
      scope.spend(array.length)
      return array.toSorted((a, b) => compareElements(a, b, scope))
    },
  }
}

/** Parses `{inputs, useLongestLength, defaults}`. */
const parseZip: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['inputs'], ['useLongestLength', 'defaults'])
  const inputs = parseList(operands.inputs, context.child('inputs'))
  const { useLongestLength: isLongest = false } = operands
  const defaults =
    operands.defaults === undefined ? [] : parseList(operands.defaults, context.child('defaults'))
  if (typeof isLongest !== 'boolean') {
    throw context
      .child('useLongestLength')
      .path.error(`must be true or false, not ${quote(isLongest)}`)
  }
  if (inputs.length === 0) throw context.child('inputs').path.error('must have one or more arrays')
  if (defaults.length > 0 && !isLongest)
    throw context.child('defaults').path.error('must be used with useLongestLength: true')
  if (defaults.length > 0 && defaults.length !== inputs.length)
    throw context.child('defaults').path.error('must have as many entries as inputs')
  return { evaluate: () => zip(inputs, defaults, isLongest, context) }
}

function parseList(list: Json, context: ParseContext): readonly Expression[] {
  if (!Array.isArray(list)) throw context.path.error(`must be an array, not ${quote(list)}`)
  return list.map((entry: Json, index) => context.child(index).parse(entry))
}

function zip(
  inputs: readonly Expression[],
  defaults: readonly Expression[],
  isLongest: boolean,
  context: ParseContext,
): Value {
  const columns: (readonly Value[])[] = []
  for (const input of inputs) {
    const array = input.evaluate()
    if (isNullish(array)) return null
    columns.push(context.take(ARRAY, array, 'inputs'))
  }
  const lengths = columns.map(({ length }) => length)
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  const fallbacks = shortest === longest ? [] : defaults.map((each) => each.evaluate())
  const length = isLongest ? longest : shortest
  context.scope.spend(length * columns.length)
  return Array.from({ length }, (_, row) =>
    columns.map((column, index) =>
      row < column.length ? column[row] : getFallback(fallbacks, index),
    ),
  )
}

const getFallback = (fallbacks: readonly Value[], index: number): Value =>
  index < fallbacks.length ? fallbacks[index] : null

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#array-expression-operators */
export const ARRAYS: Readonly<Record<string, ParseOperator>> = {
  $arrayElemAt: elementAt,
  $concatArrays: defineVariadic(ARRAY, 'runs', concatArrays),
  $first: defineUnary(ARRAY, (array) => array[0]),
  $firstN: defineSelection((array, n) => array.slice(0, n).map((element) => element ?? null)),
  $indexOfArray: defineFunction(indexOfArray, { min: 2, max: 4, check: checkArray }),
  $isArray: defineStrict(1, ([value]) => isArray(value)),
  $last: defineUnary(ARRAY, (array) => array.at(-1)),
  $lastN: defineSelection((array, n) => array.slice(-n).map((element) => element ?? null)),
  $maxN: defineSelection((array, n, scope) => sortPresent(array, scope, -1).slice(0, n)),
  $minN: defineSelection((array, n, scope) => sortPresent(array, scope, 1).slice(0, n)),
  $range: defineFunction(range, { min: 2, max: 3 }),
  $reverseArray: defineUnary(ARRAY, (array, { scope }) => {
    scope.spend(array.length)
    return array.toReversed()
  }),
  $size: defineStrict(1, ([value], context) => context.take(ARRAY, value).length),
  $slice: defineFunction(slice, { min: 2, max: 3 }),
  $sortArray: parseSortArray,
  $zip: parseZip,
}
