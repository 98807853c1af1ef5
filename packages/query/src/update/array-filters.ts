import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import { refuseQueryOnly } from '../condition.js'
import type { Condition } from '../condition.js'
import { compileConditions } from '../selector/compile-conditions.js'
import { SelectorParser } from '../selector/parse-selector.js'
import type { FieldUpdate } from './field-update.js'
import { checkCondition } from './stored-value-rules.js'

export interface ArrayFilters {
  /** Whether the filter of an identifier selects an element. The empty identifier selects all elements. */
  readonly selects: (identifier: string, element: Json) => boolean
}

/**
 * Queries whose paths start with an identifier
 * (https://www.mongodb.com/docs/manual/reference/operator/update/positional-filtered/).
 * @throws BodyInvalid, also for an unused or a missing filter
 */
export function compileArrayFilters(
  arrayFilters: Json,
  updates: readonly FieldUpdate[],
  path: InputPath,
  patterns: PatternBudget,
): ArrayFilters {
  if (!isJsonArray(arrayFilters))
    throw path.error(`must be an array of queries, not ${quote(arrayFilters)}`)

  const filters = new Map<string, (element: Json) => boolean>()
  for (const [index, query] of arrayFilters.entries()) {
    const filterPath = path.child(index)
    const { identifier, matches } = compileFilter(query, filterPath, patterns)
    if (filters.has(identifier))
      throw filterPath.error(`must not have the identifier "${identifier}" of another filter`)
    filters.set(identifier, matches)
  }
  checkIdentifiers(filters, updates, path)
  return {
    selects: (identifier, element) =>
      identifier === '' || filters.get(identifier)?.(element) === true,
  }
}

function compileFilter(
  query: Json,
  path: InputPath,
  patterns: PatternBudget,
): { readonly identifier: string; readonly matches: (element: Json) => boolean } {
  if (!isJsonObject(query)) throw path.error(`must be an object, not ${quote(query)}`)
  checkCondition(query, path)
  const conditions = new SelectorParser(patterns).parseQuery(query, path)
  refuseQueryOnly(conditions, path)
  const [identifier, ...others] = new Set(listNames(conditions))
  if (identifier === undefined)
    throw path.error(`must have a path that starts with an identifier, not ${quote(query)}`)
  if (others.length > 0)
    throw path.error(`must have one identifier, not both "${identifier}" and "${others[0]}"`)
  if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier)) {
    throw path.error(
      `must have an identifier of letters and digits that starts with a small letter, not "${identifier}"`,
    )
  }
  const matches = compileConditions(conditions)
  return { identifier, matches: (element) => matches({ [identifier]: element }) }
}

/** Returns the first names of all paths. */
const listNames = (conditions: readonly Condition[]): readonly string[] =>
  conditions.flatMap((condition) => {
    if (condition.kind === 'combination') return listNames(condition.conditions)
    return condition.path === undefined ? [] : [condition.path.split('.')[0]!]
  })

function checkIdentifiers(
  filters: ReadonlyMap<string, unknown>,
  updates: readonly FieldUpdate[],
  path: InputPath,
): void {
  const used = new Set<string>()
  for (const { segments, path: updatePath } of updates) {
    for (const { identifier = '' } of segments) {
      if (identifier !== '' && !filters.has(identifier))
        throw updatePath.error(`must have an array filter for the identifier "${identifier}"`)
      used.add(identifier)
    }
  }
  const unused = [...filters.keys()].find((identifier) => !used.has(identifier))
  if (unused !== undefined)
    throw path.error(`must not have the filter "${unused}", which no path of the update uses`)
}
