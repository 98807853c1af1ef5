import { describeClosest } from '../../json/describe-closest.js'
import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { checkName, parseFieldPath } from './field-path.js'
import { OPERATORS } from './operators.js'
import { constant, fold, ParseContext } from './parse-context.js'
import type { Expression } from './parse-context.js'
import { PatternCounter } from './pattern-counter.js'
import { Scope } from './scope.js'
import { UNSUPPORTED_OPERATORS } from './unsupported-operators.js'
import { isTruthy } from './value.js'
import type { Value } from './value.js'

/** A condition that is an expression. */
export interface ExpressionCondition {
  readonly matches: () => boolean
  /** The cost of its regular expressions, and 1 (see `Predicate.cost`). */
  readonly cost: number
  /** The estimated size of all its regular expressions together, in nodes. */
  readonly patternSize: number
}

/**
 * Parses the expressions of one query, or of one `fields`, into functions
 * (https://www.mongodb.com/docs/manual/reference/operator/aggregation/). They share the scope: the
 * item, the variables and the count of steps.
 */
export class ExpressionParser {
  readonly path: InputPath
  readonly scope: Scope
  readonly patterns = new PatternCounter()
  /** Whether there is an expression. */
  isUsed = false

  /** @param path the path of the query or of the fields */
  constructor(path: InputPath) {
    this.path = path
    this.scope = new Scope(path)
  }

  /**
   * Parses an expression as a condition of an item, which the scope has to have started.
   * @throws as `parse` does
   */
  parseCondition(expression: Json, path: InputPath): ExpressionCondition {
    const { cost, patternSize } = this.patterns
    const { evaluate } = this.parse(expression, path)
    return {
      matches: () => isTruthy(evaluate()),
      cost: 1 + this.patterns.cost - (cost === Infinity ? 0 : cost),
      patternSize: this.patterns.patternSize - patternSize,
    }
  }

  /**
   * Parses an expression.
   * @throws the path's error for an expression that MongoDB rejects when it parses it, which
   * includes the errors of constant parts such as `{"$divide": [1, 0]}`, and for one that is not
   * supported; its limitError for a pattern beyond the limits
   */
  parse(expression: Json, path: InputPath): Expression {
    this.isUsed = true
    const { scope, patterns } = this
    return parseOperand(expression, new ParseContext({ path, scope, patterns }, parseOperand))
  }
}

/** Whether a name is that of an operator of expressions, supported or not. */
export const isExpressionOperator = (name: string): boolean =>
  OPERATORS.has(name) || UNSUPPORTED_OPERATORS.has(name)

function parseOperand(operand: Json, context: ParseContext): Expression {
  if (typeof operand === 'string' && operand.startsWith('$'))
    return parseFieldPath(operand, context)
  if (Array.isArray(operand)) return parseArray(operand, context)
  if (!isJsonObject(operand)) return constant(operand)
  const names = Object.keys(operand)
  const [operator] = names
  if (operator?.startsWith('$') !== true) return parseObject(operand, context)
  if (names.length > 1)
    throw context.path.error(`must have the operator ${operator} alone, not ${names.length} keys`)
  const parse = OPERATORS.get(operator)
  if (parse !== undefined) return parse(operand[operator] as Json, context.child(operator))
  throw context
    .child(operator)
    .path.error(
      UNSUPPORTED_OPERATORS.has(operator)
        ? 'is not supported in expressions'
        : `is not an operator of expressions${describeClosest(operator, OPERATORS.keys())}`,
    )
}

/** A missing element becomes null. */
function parseArray(operand: readonly Json[], context: ParseContext): Expression {
  const elements = operand.map((element, index) => context.child(index).parse(element))
  const { scope } = context
  const evaluate = (): Value => {
    scope.spend(elements.length)
    return elements.map((element) => element.evaluate() ?? null)
  }
  return fold({ evaluate }, elements, context)
}

/** A missing field is left out. */
function parseObject(operand: JsonObject, context: ParseContext): Expression {
  const fields = Object.entries(operand).map(([name, value]) => {
    const field = context.child(name)
    checkName(name, field)
    if (name.includes('.')) throw field.path.error('must not have a dot in its name')
    return { name, expression: field.parse(value) }
  })
  const { scope } = context
  const evaluate = (): Value => {
    scope.spend(fields.length)
    const object: Record<string, Value> = {}
    // No name is `__proto__`: parse-parameter.ts refuses it.
    for (const { name, expression } of fields) {
      const value = expression.evaluate()
      if (value !== undefined) object[name] = value
    }
    return object
  }
  return fold(
    { evaluate },
    fields.map(({ expression }) => expression),
    context,
  )
}
