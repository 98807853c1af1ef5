import { quote } from '../../json/quote.js'
import { ITEM_OPERATORS } from './ast.js'
import type { Expression } from './ast.js'

/** The number of characters of a description. */
const MAX_LENGTH = 200

/**
 * Describes the conditions of a query, all of which must match, without their operands:
 * `lattice.a $gt`, `$jsonSchema`, `not (tags $in)`, `(n $eq or $expr)`.
 */
export const describeExpressions = (expressions: readonly Expression[]): readonly string[] =>
  expressions.flatMap(splitConjunction).map(describe).map(shorten)

const splitConjunction = (expression: Expression): readonly Expression[] =>
  'branches' in expression && expression.operator === '$and'
    ? expression.branches.flat().flatMap(splitConjunction)
    : [expression]

function describe(expression: Expression): string {
  const { operator } = expression
  if (!('branches' in expression))
    return ITEM_OPERATORS.has(operator) ? operator : `${describePath(expression.path)} ${operator}`
  const branches = expression.branches.map((branch) =>
    branch.length === 0
      ? '$alwaysTrue'
      : branch.flatMap(splitConjunction).map(describe).join(' and '),
  )
  return `${operator === '$nor' ? 'not ' : ''}(${branches.join(' or ')})`
}

/** Returns a path, quoted if it has spaces, quotes or parentheses. */
export const describePath = (path: string): string =>
  /^[^\s"()]+$/.test(path) ? path : quote(path)

const shorten = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
