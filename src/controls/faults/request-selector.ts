import { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { evaluate } from '../../query/evaluate.js'
import { checkQueryLimits } from '../../query/parse-parameter.js'
import { compileSelector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { RequestItem } from '../journal-record.js'
import { isSecretName } from '../redact.js'

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
  const conditions = listConditions(query)
  for (const each of conditions) checkCondition(each, path)
  return {
    readsBody: conditions.some((each) => toField(each.path) === 'body'),
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

/** A path of a query, and what stands after it; undefined for one that an operator may reach. */
interface Condition {
  readonly path: string
  readonly operand?: Json
}

/** Refuses a condition that is the same for all requests, so that the rule would never match, or always. */
function checkCondition({ path, operand = null }: Condition, match: InputPath): void {
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
  if (path.split('.').some(isSecretName) && !isAboutPresence(operand))
    throw match.child(path).error('is masked in all requests; ask whether it is there with $exists')
}

/** Whether a condition asks for no more than whether there is a value. */
const isAboutPresence = (operand: Json): boolean =>
  operand === null ||
  (isJsonObject(operand) && Object.keys(operand).every((name) => name === '$exists'))

/** Returns the conditions on paths that a valid query has. */
const listConditions = (query: JsonObject): Condition[] =>
  Object.entries(query).flatMap(([key, operand]): Condition[] => {
    if (ITEM_OPERATORS.has(key)) return FIELDS.map((path) => ({ path }))
    if (!key.startsWith('$')) return [{ path: key, operand: operand as Json }]
    return [operand as Json]
      .flat()
      .flatMap((each) => (isJsonObject(each) ? listConditions(each) : []))
  })
