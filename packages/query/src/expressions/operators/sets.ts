import { compareValues } from '../../values/compare-values.js'
import { isTruthy } from '../../values/value.js'
import type { Value } from '../../values/value.js'
import { defineBinary, defineFunction, defineStrict, defineVariadic } from '../define-function.js'
import type { Apply } from '../define-function.js'
import { ARRAY } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'
import type { Scope } from '../scope.js'

type ValueSet = readonly Value[]

/** Returns the distinct elements of an array in MongoDB's order. */
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

/** Joins or intersects the sets of arrays from the left. */
const defineCombination = (
  join: (set: ValueSet, array: readonly Value[], scope: Scope) => ValueSet,
): ParseOperator =>
  defineVariadic(ARRAY, 'all', ([first = [], ...others], { scope }) =>
    others.reduce((set, array) => join(set, array, scope), toSet(first, scope)),
  )

const unite = defineCombination((set, array, scope) => toSet([...set, ...array], scope))

const intersect = defineCombination((set, array, scope) => {
  const other = toSet(array, scope)
  const [smaller, larger] = set.length > other.length ? [other, set] : [set, other]
  return smaller.filter((element) => has(larger, element, scope))
})

/** Returns the distinct elements of the first array that are not in the second, in their order. */
const subtract = defineBinary(ARRAY, (elements, others, { scope }) => {
  const excluded = toSet(others, scope)
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
  const set = toSet(context.take(ARRAY, first?.()), scope)
  return others.every((operand) => {
    const other = toSet(context.take(ARRAY, operand()), scope)
    return (
      other.length === set.length &&
      other.every((element, index) => compareElements(element, set[index], scope) === 0)
    )
  })
}

/** Checks constant operands when the expression is parsed. */
function checkConstants(operands: readonly Expression[], context: ParseContext): void {
  for (const { constant } of operands)
    if (constant !== undefined) context.take(ARRAY, constant.value)
}

const isSubset: Apply = ([a, b], context) => {
  const { scope } = context
  const elements = context.take(ARRAY, a?.())
  const set = toSet(context.take(ARRAY, b?.()), scope)
  return elements.every((element) => has(set, element, scope))
}

/** Defines a test of the elements of one array. */
const defineTest = (test: (array: readonly Value[]) => boolean): ParseOperator =>
  defineStrict(1, ([value], context) => {
    const array = context.take(ARRAY, value)
    context.scope.spend(array.length)
    return test(array)
  })

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#set-expression-operators */
export const SETS: Readonly<Record<string, ParseOperator>> = {
  $allElementsTrue: defineTest((array) => array.every(isTruthy)),
  $anyElementTrue: defineTest((array) => array.some(isTruthy)),
  $setDifference: subtract,
  $setEquals: defineFunction(equalSets, { min: 2, folding: 'never', check: checkConstants }),
  $setIntersection: intersect,
  $setIsSubset: defineFunction(isSubset, {
    min: 2,
    max: 2,
    check: ([, second], context) => second && checkConstants([second], context),
  }),
  $setUnion: unite,
}
