import { CatalogueError, describeClosest, isJsonObject } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import type { Combination, ComputedOperand, ItemTest } from '../condition.js'
import { isTruthy } from '../values/value.js'
import type { Value } from '../values/value.js'
import { EXPRESSION_OPERATORS, UNSUPPORTED_EXPRESSION_OPERATORS } from './expression-operators.js'
import { constant, fold, ParseContext } from './parse-context.js'
import type { CountedPatterns, Expression, ParseOperator } from './parse-context.js'
import { checkName, parseFieldPath } from './parse-field-path.js'
import { Scope } from './scope.js'
import { toJson } from './to-json.js'

/**
 * Into functions (https://www.mongodb.com/docs/manual/reference/operator/aggregation/) that share a
 * scope: the item, the variables and the count of steps.
 */
export class ExpressionParser {
  readonly scope: Scope
  readonly #patterns: CountedPatterns
  isUsed = false

  constructor(path: InputPath, patterns: PatternBudget) {
    this.scope = new Scope(path)
    this.#patterns = { budget: patterns, cost: 0 }
  }

  /** The cost of all regular expressions so far; Infinity if a pattern comes from items. */
  get cost(): number {
    return this.#patterns.cost
  }

  /**
   * The scope must be started for the item before the condition is tested.
   * @throws as `parse` does
   */
  parseCondition(source: Json, path: InputPath): ItemTest {
    const costBefore = this.cost
    const parsed = new Map<Json, Expression>()
    this.parse(source, path, parsed)
    const cost = 1 + this.cost - (costBefore === Infinity ? 0 : costBefore)
    return createCondition(source, { parsed, cost, path, scope: this.scope })
  }

  /**
   * @param parsed collects each inner expression by its JSON
   * @throws the path's error for what is not supported, or MongoDB rejects when it parses, also in
   * constant parts such as `{"$divide": [1, 0]}`; the path's limitError
   */
  parse(source: Json, path: InputPath, parsed?: Map<Json, Expression>): Expression {
    this.isUsed = true
    const parse: ParseOperator = (operand, context) => {
      const expression = parseOperand(operand, context)
      parsed?.set(operand, expression)
      return expression
    }
    return parse(
      source,
      new ParseContext({ path, scope: this.scope, patterns: this.#patterns }, parse),
    )
  }
}

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
  const parse = EXPRESSION_OPERATORS.get(operator)
  if (parse !== undefined) return parse(operand[operator]!, context.child(operator))
  throw context
    .child(operator)
    .path.error(
      UNSUPPORTED_EXPRESSION_OPERATORS.has(operator)
        ? 'is not supported in expressions'
        : `is not an operator of expressions${describeClosest(operator, EXPRESSION_OPERATORS.keys())}`,
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
    // No name is `__proto__`: json-parameter.ts refuses it.
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

interface ParsedCondition {
  /** The expression and all inner expressions, by the JSON from which they were parsed. */
  readonly parsed: ReadonlyMap<Json, Expression>
  readonly cost: number
  readonly path: InputPath
  readonly scope: Scope
}

/** Creates a condition from an expression. `$and`, `$or` and `$not` split it into smaller conditions. */
function createCondition(source: Json, parsed: ParsedCondition): ItemTest {
  const expression = parsed.parsed.get(source)!
  const [operator, operand] = findOperator(source)
  const combine = findCombine(operator, operand)
  return {
    kind: 'item',
    operator: '$expr',
    operand: source,
    matches: () => isTruthy(expression.evaluate()),
    cost: parsed.cost,
    isQueryOnly: true,
    readOperands: () => [operand].flat().flatMap((each) => readOperand(each, parsed)),
    ...(combine !== undefined && {
      split: (): Combination => ({
        kind: 'combination',
        operator: `$expr ${operator}`,
        combine,
        conditions: [operand].flat().map((each) => createCondition(each, parsed)),
      }),
    }),
  }
}

function findCombine(
  operator: string | undefined,
  operand: Json,
): Combination['combine'] | undefined {
  if (operator === '$not') return 'none'
  if (!Array.isArray(operand)) return undefined
  return operator === '$and' ? 'every' : operator === '$or' ? 'some' : undefined
}

/** Returns the operator of an expression and its operand. An expression without an operator is its own operand. */
function findOperator(source: Json): [operator: string | undefined, operand: Json] {
  const [operator] = isJsonObject(source) ? Object.keys(source) : []
  return operator?.startsWith('$') === true
    ? [operator, (source as Readonly<Record<string, Json>>)[operator]!]
    : [undefined, source]
}

/** Evaluates an operand that depends on the item. Returns undefined if it can't be evaluated by itself. */
function readOperand(operand: Json, { parsed, path, scope }: ParsedCondition): ComputedOperand[] {
  const expression = parsed.get(operand)
  if (expression === undefined || expression.constant !== undefined) return []
  try {
    return [{ operand, value: toJson(expression.evaluate(), { path, scope }) }]
  } catch (error) {
    if (error instanceof CatalogueError) return []
    throw error
  }
}
