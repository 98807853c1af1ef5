import type { Expression } from './ast.js'

/** What mingo's Query compiles: paths to objects of operators, and lists under `$and` and such. */
export type MingoQuery = Readonly<Record<string, unknown>>

/** Checked expressions, all of which have to hold, in the form that mingo compiles. */
export function toMingoQuery(expressions: readonly Expression[]): MingoQuery {
  const criteria: Record<string, unknown> = {}
  const others: MingoQuery[] = []
  for (const expression of expressions) {
    const [key, value] = toEntry(expression)
    // A key can stand once; what would overwrite it goes into an `$and`.
    if (key === '$and' || key in criteria) others.push({ [key]: value })
    else criteria[key] = value
  }
  return others.length === 0 ? criteria : { ...criteria, $and: others }
}

const toEntry = (expression: Expression): [key: string, value: unknown] =>
  'branches' in expression
    ? [expression.operator, expression.branches.map(toMingoQuery)]
    : [escapePath(expression.path), { [expression.operator]: expression.operand }]

/** mingo takes no `$` at the start of a path, but MongoDB has `$id`, `$ref` and `$db`. */
const escapePath = (path: string): string => (/^[$.]/.test(path) ? `.${path}` : path)

/** Undoes what `escapePath` does. */
export const unescapePath = (path: string): string => (path.startsWith('.') ? path.slice(1) : path)
