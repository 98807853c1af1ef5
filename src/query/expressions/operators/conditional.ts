import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { defineFunction } from '../define-function.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'
import { isNullish, isTruthy } from '../../values/value.js'
import type { Value } from '../../values/value.js'

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
  if (isJsonObject(operand)) {
    const names = ['if', 'then', 'else']
    const operands = context.parseArguments(operand, names, [])
    return names.map((name) => context.child(name).parse(operands[name] as Json)) as never
  }
  if (!Array.isArray(operand) || operand.length !== 3) {
    throw context.path.error(
      `must be [if, then, else] or an object of these, not ${quote(operand)}`,
    )
  }
  return operand.map((each: Json, index) => context.child(index).parse(each)) as never
}

/** A branch of `$switch`. */
interface Branch {
  readonly condition: Expression
  readonly result: Expression
}

/**
 * Constant cases are decided now, as MongoDB does: one that is false goes, one that is true is the
 * default. The results that they exclude are not evaluated, so they cause no error.
 */
const parseSwitch: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['branches'], ['default'])
  const { branches: list } = operands
  const listContext = context.child('branches')
  if (!Array.isArray(list) || list.length === 0) {
    throw listContext.path.error(
      `must be an array of one or more branches, not ${quote(list ?? null)}`,
    )
  }

  let fallback =
    'default' in operands ? context.child('default').parse(operands.default) : undefined
  let isDecided = false
  const branches: Branch[] = []
  for (const [index, entry] of (list as readonly Json[]).entries()) {
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

/** Returns undefined for a branch whose case is never true. */
function parseBranch(entry: Json, context: ParseContext, isDecided: boolean): Branch | undefined {
  const place = isDecided ? context.withFolding(false) : context
  const operands = place.parseArguments(entry, ['case', 'then'], [])
  const condition = place.child('case').parse(operands.case as Json)
  const isNever =
    place.folds && condition.constant !== undefined && !isTruthy(condition.constant.value)
  const result = (isNever ? place.withFolding(false) : place)
    .child('then')
    .parse(operands.then as Json)
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

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#conditional-expression-operators */
export const CONDITIONAL: Readonly<Record<string, ParseOperator>> = {
  $cond: parseCond,
  $ifNull: ifNull,
  $switch: parseSwitch,
}
