import type { Term } from './terms.js'

/** What mingo's Query compiles: paths to objects of operators, and lists under `$and` and such. */
export type Criteria = Readonly<Record<string, unknown>>

/** Checked terms, all of which have to hold, in the form that mingo compiles. */
export function toCriteria(terms: readonly Term[]): Criteria {
  const criteria: Record<string, unknown> = {}
  const others: Criteria[] = []
  for (const term of terms) {
    const [key, value] = toEntry(term)
    // A key can stand once; what would overwrite it goes into an `$and`.
    if (key === '$and' || key in criteria) others.push({ [key]: value })
    else criteria[key] = value
  }
  return others.length === 0 ? criteria : { ...criteria, $and: others }
}

const toEntry = (term: Term): [key: string, value: unknown] =>
  'combine' in term
    ? [term.combine, term.branches.map(toCriteria)]
    : [escapePath(term.path), { [term.operator]: term.operand }]

/** mingo takes no `$` at the start of a path, but MongoDB has `$id`, `$ref` and `$db`. */
const escapePath = (path: string): string => (/^[$.]/.test(path) ? `.${path}` : path)

/** Undoes what `escapePath` does. */
export const unescapePath = (path: string): string => (path.startsWith('.') ? path.slice(1) : path)
