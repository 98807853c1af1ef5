import type { Expression } from './ast.js'

/** A query for mingo's `Query`: paths to objects of operators, and `$and`, `$or`, `$nor` to arrays. */
export type MingoQuery = Readonly<Record<string, unknown>>

/** Converts expressions, all of which must match, to a query for mingo. */
export function toMingoQuery(expressions: readonly Expression[]): MingoQuery {
  const query: Record<string, unknown> = {}
  const others: MingoQuery[] = []
  for (const expression of expressions) {
    const [key, value] = toEntry(expression)
    // An object has each key once, so further expressions with the same key go into an `$and`.
    if (key === '$and' || key in query) others.push({ [key]: value })
    else query[key] = value
  }
  return others.length === 0 ? query : { ...query, $and: others }
}

const toEntry = (expression: Expression): [key: string, value: unknown] =>
  'branches' in expression
    ? [expression.operator, expression.branches.map(toMingoQuery)]
    : [escapePath(expression.path), { [expression.operator]: expression.operand }]

/** Escapes the `$` of `$id`, `$ref` and `$db`, which mingo does not accept at the start of a path. */
const escapePath = (path: string): string => (/^[$.]/.test(path) ? `.${path}` : path)

/** Restores a path that `toMingoQuery` has escaped. */
export const unescapePath = (path: string): string => (path.startsWith('.') ? path.slice(1) : path)
