import type { Json } from '../../../json/json.js'
import { compareValues, equalValues } from '../../values/compare-values.js'
import { defineFunction, defineStrict } from '../define-function.js'
import type { Apply } from '../define-function.js'
import { constant } from '../parse-context.js'
import type { ParseOperator } from '../parse-context.js'
import { isArray, isTruthy } from '../../values/value.js'

/** Defines a comparison; values of all types compare, in MongoDB's order of types. */
const defineComparison = (isMatch: (order: number) => boolean): ParseOperator =>
  defineStrict(2, ([a, b], { scope }) => isMatch(compareValues(a, b, scope)))

/**
 * Defines `$and` or `$or`, which is `decisive` if an operand is, and evaluates none after it. A
 * constant operand that decides does so before the others are evaluated.
 */
function defineLogical(decisive: boolean): ParseOperator {
  const apply: Apply = (operands) =>
    operands.some((operand) => isTruthy(operand()) === decisive) === decisive
  const parse = defineFunction(apply, { folding: 'all' })
  return (operand, context) => {
    const parsed = parse(operand, context)
    const isDecided = parsed.nary?.operands.some(
      (each) => each.constant !== undefined && isTruthy(each.constant.value) === decisive,
    )
    return isDecided === true ? constant(decisive) : parsed
  }
}

/** The element is compared as it is: an array is not looked into. */
const isIn = defineStrict(2, ([value, array], context) => {
  if (!isArray(array)) throw context.valueError('must have an array second', array)
  context.scope.spend(array.length)
  return array.some((element) => equalValues(value, element, context.scope))
})

/** The operand is not parsed: a string that starts with `$` is just a string. */
const parseLiteral: ParseOperator = (operand: Json) => constant(operand)

/** Comparisons, boolean operators and `$literal`: https://www.mongodb.com/docs/manual/reference/operator/aggregation/#comparison-expression-operators */
export const LOGIC: Readonly<Record<string, ParseOperator>> = {
  $and: defineLogical(false),
  $cmp: defineStrict(2, ([a, b], { scope }) => Math.sign(compareValues(a, b, scope))),
  $const: parseLiteral,
  $eq: defineComparison((order) => order === 0),
  $gt: defineComparison((order) => order > 0),
  $gte: defineComparison((order) => order >= 0),
  $in: isIn,
  $literal: parseLiteral,
  $lt: defineComparison((order) => order < 0),
  $lte: defineComparison((order) => order <= 0),
  $ne: defineComparison((order) => order !== 0),
  $not: defineStrict(1, ([value]) => !isTruthy(value)),
  $or: defineLogical(true),
}
