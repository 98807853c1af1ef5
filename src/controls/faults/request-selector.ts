import { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { evaluate } from '../../query/evaluate.js'
import { checkQueryLimits } from '../../query/parse-parameter.js'
import { compileSelector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { RequestItem } from '../journal-record.js'

/** A compiled `match` of a rule. */
export interface RequestSelector {
  /** Whether the body decides, so that it must have arrived. */
  readonly readsBody: boolean
  /**
   * Whether a request matches.
   * @throws PatternTooCostly and others as `evaluate` does
   */
  readonly matches: (item: RequestItem) => Work<boolean>
}

/** The fields of a request before it is answered. */
const FIELDS: readonly (keyof RequestItem)[] = [
  'method',
  'path',
  'route',
  'resource',
  'query',
  'projection',
  'headers',
  'body',
  'accountId',
]

/**
 * Compiles the `match` of a rule: a query of requests as the journal has them.
 * @throws BodyInvalid for a query that MongoDB rejects, and for a field that a request does not have
 * before it is answered
 * @throws BoundExceeded for a query beyond the limits of a list's
 */
export function compileRequestSelector(query: JsonObject): RequestSelector {
  const path = new InputPath('body', 'match')
  checkQueryLimits(query, path)
  const selector = compileSelector(query, path)
  const paths = listPaths(query)
  for (const each of paths) checkPath(each, path)
  return {
    readsBody: paths.some((each) => toField(each) === 'body'),
    *matches(item) {
      const found = yield* evaluate([{ item }], {
        selector,
        sort: undefined,
        skip: 0,
        limit: 1,
      })
      return found.length === 1
    },
  }
}

/** Operators at the top of a query that can reach every field. */
const ITEM_OPERATORS: ReadonlySet<string> = new Set(['$expr', '$jsonSchema'])

const toField = (path: string): string => path.split('.')[0] as string

/** Refuses a path that no request has, so that the rule would never match, or always. */
function checkPath(path: string, match: InputPath): void {
  if (!(FIELDS as readonly string[]).includes(toField(path))) {
    throw match
      .child(toField(path))
      .error(`is not a field of a request that arrives, which has ${FIELDS.join(', ')}`)
  }
  if (path.startsWith('headers.') && path !== path.toLowerCase()) {
    throw match
      .child(path)
      .error(`must be ${path.toLowerCase()}: the names of headers are in lower case`)
  }
}

/** Returns the paths of items that a valid query is about. */
const listPaths = (query: JsonObject): string[] =>
  Object.entries(query).flatMap(([key, operand]): string[] => {
    if (ITEM_OPERATORS.has(key)) return [...FIELDS]
    if (!key.startsWith('$')) return [key]
    return [operand as Json].flat().flatMap((each) => (isJsonObject(each) ? listPaths(each) : []))
  })
