import type { Json } from '../../../../json/json.js'
import { quote } from '../../../../json/quote.js'
import { compileElementOrder } from '../../../values/element-order.js'
import { compareValues } from '../../../values/compare-values.js'
import { isArray, isNullish, isNumeric, toDouble, toLong } from '../../../values/value.js'
import type { Expression, ParseContext, ParseOperator } from '../../parse-context.js'
import type { Scope } from '../../scope.js'
import type { Value } from '../../../values/value.js'

/** Selects `n` elements of an array. */
type Select = (array: readonly Value[], n: number, scope: Scope) => readonly Value[]

/**
 * Defines `$firstN`, `$lastN`, `$minN` or `$maxN`. MongoDB evaluates their arguments for an item
 * only, so constant ones cause no error before.
 */
const defineSelection =
  (select: Select): ParseOperator =>
  (operand, context) => {
    const operands = context.parseArguments(operand, ['n', 'input'], [])
    const place = context.withFolding(false)
    const n = place.child('n').parse(operands.n as Json)
    const input = place.child('input').parse(operands.input as Json)
    return { evaluate: () => select(...takeSelection(n, input, context), context.scope) }
  }

function takeSelection(
  n: Expression,
  input: Expression,
  context: ParseContext,
): [array: readonly Value[], n: number] {
  const count = n.evaluate()
  const integer = isNumeric(count) ? toLong(count) : undefined
  if (integer === undefined || integer <= 0n || Number(integer) !== toDouble(count as never))
    throw context.child('n').valueError('must be an integer above 0', count)
  const array = input.evaluate()
  if (!isArray(array)) throw context.child('input').valueError('must be an array', array)
  context.scope.spend(array.length)
  return [array, Number(integer)]
}

/** Sorts the elements, but for null and missing ones. */
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
  const input = context.child('input').parse(operands.input as Json)
  const compareElements = compileElementOrder(operands.sortBy as Json, context.child('sortBy').path)
  const { scope } = context
  return {
    evaluate: () => {
      const array = input.evaluate()
      if (isNullish(array)) return null
      if (!isArray(array)) throw context.child('input').valueError('must be an array', array)
      scope.spend(array.length)
      return array.toSorted((a, b) => compareElements(a, b, scope))
    },
  }
}

/** Parses `{inputs, useLongestLength, defaults}`. */
const parseZip: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['inputs'], ['useLongestLength', 'defaults'])
  const inputs = parseList(operands.inputs as Json, context.child('inputs'))
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
    if (!isArray(array)) throw context.child('inputs').valueError('must be arrays', array)
    columns.push(array)
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
export const ARRAY_PARTS: Readonly<Record<string, ParseOperator>> = {
  $firstN: defineSelection((array, n) => array.slice(0, n).map((element) => element ?? null)),
  $lastN: defineSelection((array, n) => array.slice(-n).map((element) => element ?? null)),
  $maxN: defineSelection((array, n, scope) => sortPresent(array, scope, -1).slice(0, n)),
  $minN: defineSelection((array, n, scope) => sortPresent(array, scope, 1).slice(0, n)),
  $sortArray: parseSortArray,
  $zip: parseZip,
}
