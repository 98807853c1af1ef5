import { compareValues } from '../../../values/compare-values.js'
import { defineFunction, defineStrict } from '../../define-function.js'
import type { Apply } from '../../define-function.js'
import type { Expression, ParseContext, ParseOperator } from '../../parse-context.js'
import type { Scope } from '../../scope.js'
import { isArray, isNullish, isTruthy } from '../../../values/value.js'
import type { Value } from '../../../values/value.js'

type ValueSet = readonly Value[]

/** Returns the different elements of an array in MongoDB's order. */
function toSet(array: readonly Value[], scope: Scope): ValueSet {
  scope.spend(array.length)
  const sorted = array.toSorted((a, b) => compareElements(a, b, scope))
  return sorted.filter(
    (element, index) => index === 0 || compareElements(element, sorted[index - 1], scope) !== 0,
  )
}

function compareElements(a: Value, b: Value, scope: Scope): number {
  scope.spend(1)
  return compareValues(a, b, scope)
}

/** Returns the position of an equal value in a set, by bisection, or -1. */
function find(set: ValueSet, value: Value, scope: Scope): number {
  let [from, to] = [0, set.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const order = compareElements(set[middle], value, scope)
    if (order === 0) return middle
    if (order < 0) from = middle + 1
    else to = middle
  }
  return -1
}

const has = (set: ValueSet, value: Value, scope: Scope): boolean => find(set, value, scope) >= 0

function takeArray(value: Value, context: ParseContext): readonly Value[] {
  if (isArray(value)) return value
  throw context.valueError('must be of arrays', value)
}

/** Joins or intersects sets from the left, until an operand is null. */
const combine =
  (join: (set: ValueSet, array: readonly Value[], scope: Scope) => ValueSet): Apply =>
  (operands, context) => {
    let set: ValueSet | undefined
    for (const operand of operands) {
      const array = operand()
      if (isNullish(array)) return null
      const elements = takeArray(array, context)
      set = set === undefined ? toSet(elements, context.scope) : join(set, elements, context.scope)
    }
    return set ?? []
  }

const unite = combine((set, array, scope) => toSet([...set, ...array], scope))

const intersect = combine((set, array, scope) => {
  const other = toSet(array, scope)
  const [smaller, larger] = set.length > other.length ? [other, set] : [set, other]
  return smaller.filter((element) => has(larger, element, scope))
})

/** Returns the different elements of the first array that are not in the second, in their order. */
const subtract = defineStrict(2, ([a, b], context) => {
  if (isNullish(a) || isNullish(b)) return null
  const { scope } = context
  const elements = takeArray(a, context)
  const excluded = toSet(takeArray(b, context), scope)
  const rest = elements.filter((element) => !has(excluded, element, scope))
  const set = toSet(rest, scope)
  const isTaken = set.map(() => false)
  return rest.filter((element) => {
    const position = find(set, element, scope)
    const isFirst = isTaken[position] === false
    isTaken[position] = true
    return isFirst
  })
})

const equalSets: Apply = (operands, context) => {
  const { scope } = context
  const [first, ...others] = operands
  const set = toSet(takeArray(first?.(), context), scope)
  return others.every((operand) => {
    const other = toSet(takeArray(operand(), context), scope)
    return (
      other.length === set.length &&
      other.every((element, index) => compareElements(element, set[index], scope) === 0)
    )
  })
}

/** Checks constant operands when the expression is parsed. */
function checkConstants(operands: readonly Expression[], context: ParseContext): void {
  for (const { constant } of operands)
    if (constant !== undefined) takeArray(constant.value, context)
}

const isSubset: Apply = ([a, b], context) => {
  const { scope } = context
  const elements = takeArray(a?.(), context)
  const set = toSet(takeArray(b?.(), context), scope)
  return elements.every((element) => has(set, element, scope))
}

/** Defines a test of the elements of one array. */
const defineTest = (test: (array: readonly Value[]) => boolean): ParseOperator =>
  defineStrict(1, ([value], context) => {
    const array = takeArray(value, context)
    context.scope.spend(array.length)
    return test(array)
  })

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#set-expression-operators */
export const SETS: Readonly<Record<string, ParseOperator>> = {
  $allElementsTrue: defineTest((array) => array.every(isTruthy)),
  $anyElementTrue: defineTest((array) => array.some(isTruthy)),
  $setDifference: subtract,
  $setEquals: defineFunction(equalSets, { min: 2, folding: 'never', check: checkConstants }),
  $setIntersection: defineFunction(intersect, { folding: 'all' }),
  $setIsSubset: defineFunction(isSubset, {
    min: 2,
    max: 2,
    check: ([, second], context) => second && checkConstants([second], context),
  }),
  $setUnion: defineFunction(unite, { folding: 'all' }),
}
