import { CatalogueError } from '../../errors.js'
import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import { ExpressionParser } from '../expressions/expression-parser.js'
import { toJson } from '../expressions/to-json.js'
import type { ValueObject } from '../expressions/value.js'
import { needsTimeout } from '../selector/ast.js'
import type { Clause, Found } from './clause.js'
import { formatJson } from './find-values.js'

/** Parses an `$expr` into clauses: `$and`, `$or` and `$not` are combinations of the others. */
export function parseExpressionClauses(expression: Json, path: InputPath): Clause {
  const [operator, operand] = findOperator(expression)
  const parse = (each: Json): Clause => parseExpressionClauses(each, path)
  const label = `$expr ${operator}`
  if (operator === '$and' && Array.isArray(operand))
    return { operator: label, combine: 'every', clauses: operand.map(parse) }
  if (operator === '$or' && Array.isArray(operand))
    return { operator: label, combine: 'some', clauses: operand.map(parse) }
  if (operator === '$not')
    return { operator: label, combine: 'none', clauses: [operand].flat().map(parse) }
  const parser = new ExpressionParser(path)
  const { scope } = parser
  const { matches, ...costs } = parser.parseCondition(expression, path.child('$expr'))
  return {
    operator: '$expr',
    operand: expression,
    find: compileFind([operand].flat(), path),
    isCostly: needsTimeout([{ path: '', operator: '$expr', operand: undefined, ...costs }]),
    test: (item) => {
      scope.start(item as ValueObject)
      return matches()
    },
  }
}

/** Returns the operator of an expression and its operand; an expression without one is its operand. */
function findOperator(expression: Json): [operator: string | undefined, operand: Json] {
  const [operator] = isJsonObject(expression) ? Object.keys(expression) : []
  return operator?.startsWith('$') === true
    ? [operator, (expression as Readonly<Record<string, Json>>)[operator] as Json]
    : [undefined, expression]
}

/** Compiles operands into a function that describes the values of those that depend on the item. */
function compileFind(operands: readonly Json[], path: InputPath): (item: Json) => Found {
  const computed = operands.flatMap((operand) => {
    const text = typeof operand === 'string' ? operand : formatJson(operand)
    const [operator] = findOperator(operand)
    const isComputed = typeof operand === 'string' ? text.startsWith('$') : operator !== undefined
    return isComputed && operator !== '$literal' ? [{ operand, text }] : []
  })
  return (item) => ({
    text: computed
      .flatMap(({ operand, text }) => {
        const value = evaluate(operand, item, path)
        return value === undefined ? [] : [`${text} is ${value}`]
      })
      .join(', '),
  })
}

/**
 * Evaluates an operand, and describes its value; undefined if it can't be evaluated by itself, such
 * as one with the variable of a `$map`.
 */
function evaluate(operand: Json, item: Json, path: InputPath): string | undefined {
  try {
    const parser = new ExpressionParser(path)
    const expression = parser.parse(operand, path)
    parser.scope.start(item as ValueObject)
    const value = toJson(expression.evaluate(), { path, scope: parser.scope })
    return value === undefined ? 'missing' : formatJson(value)
  } catch (error) {
    if (error instanceof CatalogueError) return undefined
    throw error
  }
}
