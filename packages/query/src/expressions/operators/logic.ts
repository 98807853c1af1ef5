import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { compareValues, equalValues } from '../../values/compare-values.js'
import { isArray, isNullish, isTruthy } from '../../values/value.js'
import type { Value } from '../../values/value.js'
import { defineFunction, defineStrict } from '../define-function.js'
import type { Apply } from '../define-function.js'
import { constant } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'

/** `[if, then, else]`, or an object of these. */
const parseCond: ParseOperator = (operand, context) => {
  const [condition, then, otherwise] = parseCondOperands(operand, context)
  if (context.folds && condition.constant !== undefined)
    return isTruthy(condition.constant.value) ? then : otherwise
  return {
    evaluate: () => {
      context.scope.spend(1)
      return isTruthy(condition.evaluate()) ? then.evaluate() : otherwise.evaluate()
    },
  }
}

function parseCondOperands(
  operand: Json,
  context: ParseContext,
): readonly [Expression, Expression, Expression] {
  if (isJsonObject(operand))
    return Object.values(context.parseNamed(operand, ['if', 'then', 'else'])) as never
  if (!Array.isArray(operand) || operand.length !== 3) {
    throw context.path.error(
      `must be [if, then, else] or an object of these, not ${quote(operand)}`,
    )
  }
  return operand.map((each: Json, index) => context.child(index).parse(each)) as never
}

interface Branch {
  readonly condition: Expression
  readonly result: Expression
}

/** As in MongoDB, constant cases are decided by the parser: excluded results cause no error. */
const parseSwitch: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['branches'], ['default'])
  const { branches: list } = operands
  const listContext = context.child('branches')
  if (!isJsonArray(list) || list.length === 0) {
    throw listContext.path.error(
      `must be an array of one or more branches, not ${quote(list ?? null)}`,
    )
  }

  let fallback = 'default' in operands ? context.parseArgument(operands, 'default') : undefined
  let isDecided = false
  const branches: Branch[] = []
  for (const [index, entry] of list.entries()) {
    const branch = parseBranch(entry, listContext.child(index), isDecided)
    if (isDecided || branch === undefined) continue
    isDecided = context.folds && branch.condition.constant !== undefined
    if (isDecided) fallback = branch.result
    else branches.push(branch)
  }
  if (branches.length === 0 && context.folds) {
    if (fallback !== undefined) return fallback
    throw context.path.error('must have a default, as no case can be true')
  }
  return { evaluate: () => evaluateSwitch(branches, fallback, context) }
}

/** Parses a branch. Returns undefined if its case is never true. */
function parseBranch(entry: Json, context: ParseContext, isDecided: boolean): Branch | undefined {
  const place = isDecided ? context.withFolding(false) : context
  const operands = place.parseArguments(entry, ['case', 'then'], [])
  const condition = place.parseArgument(operands, 'case')
  const isNever =
    place.folds && condition.constant !== undefined && !isTruthy(condition.constant.value)
  const result = (isNever ? place.withFolding(false) : place).parseArgument(operands, 'then')
  return isNever ? undefined : { condition, result }
}

function evaluateSwitch(
  branches: readonly Branch[],
  fallback: Expression | undefined,
  { scope, path }: ParseContext,
): Value {
  for (const { condition, result } of branches) {
    scope.spend(1)
    if (isTruthy(condition.evaluate())) return result.evaluate()
  }
  if (fallback === undefined)
    throw path.error('must have a default, as no case is true for an item')
  return fallback.evaluate()
}

/** Returns the first value that is neither null nor missing, else the last. */
const ifNull = defineFunction(
  (operands) => {
    let value: Value
    for (const operand of operands) {
      value = operand()
      if (!isNullish(value)) break
    }
    return value
  },
  { min: 2 },
)

/** Defines a comparison. Values of all types compare, in MongoDB's order of types. */
const defineComparison = (isMatch: (order: number) => boolean): ParseOperator =>
  defineStrict(2, ([a, b], { scope }) => isMatch(compareValues(a, b, scope)))

/** A decisive constant operand decides before the others are evaluated. */
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

/**
 * Conditions, comparisons, boolean operators and `$literal`:
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/#conditional-expression-operators and
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/#comparison-expression-operators
 */
export const LOGIC: Readonly<Record<string, ParseOperator>> = {
  $and: defineLogical(false),
  $cmp: defineStrict(2, ([a, b], { scope }) => Math.sign(compareValues(a, b, scope))),
  $cond: parseCond,
  $const: parseLiteral,
  $eq: defineComparison((order) => order === 0),
  $gt: defineComparison((order) => order > 0),
  $gte: defineComparison((order) => order >= 0),
  $ifNull: ifNull,
  $in: isIn,
  $literal: parseLiteral,
  $lt: defineComparison((order) => order < 0),
  $lte: defineComparison((order) => order <= 0),
  $ne: defineComparison((order) => order !== 0),
  $not: defineStrict(1, ([value]) => !isTruthy(value)),
  $or: defineLogical(true),
  $switch: parseSwitch,
}
