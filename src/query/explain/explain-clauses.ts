import { CatalogueError } from '../../errors.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { Work } from '../../work/work.js'
import { retryTimeouts, runPattern } from '../run-pattern.js'
import type { Selector } from '../selector/compile-selector.js'
import { combineVerdicts } from './clause.js'
import type { Clause, ElementClauses, LeafClause, Verdict } from './clause.js'
import type { ClauseExplanation, ElementExplanation } from './explanation.js'

/** The number of elements of one array that are compared to find the closest ones. */
const MAX_COMPARED = 1000

/** The number of closest elements that are explained. */
const MAX_CLOSEST = 3

/**
 * Explains the verdict of each clause for an item, down to the operators in combinations.
 * @throws PatternTooCostly if matching the item takes more than 20 ms
 */
export function* explainClauses(
  clauses: readonly Clause[],
  value: Json,
  maxClosest = MAX_CLOSEST,
): Work<ClauseExplanation[]> {
  const explanations: ClauseExplanation[] = []
  for (const clause of clauses) explanations.push(yield* explainClause(clause, value, maxClosest))
  return explanations
}

function* explainClause(clause: Clause, value: Json, maxClosest: number): Work<ClauseExplanation> {
  const { path, operator, operand } = clause
  const source = {
    ...(path !== undefined && { path }),
    operator,
    ...(operand !== undefined && { operand }),
  }
  if ('clauses' in clause) {
    const clauses = yield* explainClauses(clause.clauses, value, maxClosest)
    const verdicts = clauses.map(({ matches }) => matches)
    const matches = combineVerdicts(clause.combine, verdicts)
    return { ...source, matches, ...describeFound(clause, value), clauses }
  }
  const result = yield* testLeaf(clause, value)
  const { elements } = clause
  const explained =
    elements === undefined
      ? undefined
      : yield* result.matches === true
          ? explainMatchingElement(elements, value)
          : explainClosestElements(elements, value, maxClosest)
  yield 'explaining the query'
  return {
    ...source,
    ...result,
    ...describeFound(clause, value),
    ...(explained !== undefined && { elements: explained }),
  }
}

function describeFound(
  { find }: Clause,
  value: Json,
): Partial<Pick<ClauseExplanation, 'found' | 'values'>> {
  const { text: found, ...values } = find?.(value) ?? { text: '' }
  return found === '' ? {} : { found, ...values }
}

/** Tests a leaf as a list does. An `$expr` that can't be evaluated has no verdict, but an error. */
function* testLeaf(
  { test, isCostly }: LeafClause,
  value: Json,
): Work<Pick<ClauseExplanation, 'matches' | 'error'>> {
  try {
    if (!isCostly) return { matches: test(value) }
    return { matches: yield* retryTimeouts(() => runPattern(() => test(value))) }
  } catch (error) {
    if (!(error instanceof CatalogueError) || !EXPRESSION_ERRORS.has(error.code)) throw error
    return { matches: null, error: error.message }
  }
}

/** The errors of an `$expr` that can't be evaluated for an item. */
const EXPRESSION_ERRORS: ReadonlySet<string> = new Set(['QUERY_INVALID', 'BOUND_EXCEEDED'])

/** The place of an element: the number of its array, and its position. */
interface ElementPlace {
  readonly array: number
  readonly position: number
}

/** Explains the first element that matches, in one of the arrays that are shown. */
function* explainMatchingElement(
  elements: ElementClauses,
  value: Json,
): Work<ElementExplanation[]> {
  const arrays = elements.findArrays(value)
  for (const [array, each] of arrays.entries()) {
    for (const [position, element] of each.entries()) {
      if ((yield* countElementMismatches(elements, element)) === 0)
        return yield* explainElements(elements, arrays, [{ array, position }])
    }
  }
  return []
}

/** Explains the elements that fail the fewest operators. */
function* explainClosestElements(
  elements: ElementClauses,
  value: Json,
  maxClosest: number,
): Work<ElementExplanation[]> {
  const arrays = elements.findArrays(value)
  const places: (ElementPlace & { readonly mismatches: number })[] = []
  for (const [array, each] of arrays.entries()) {
    for (const [position, element] of each.slice(0, MAX_COMPARED).entries()) {
      places.push({
        array,
        position,
        mismatches: yield* countElementMismatches(elements, element),
      })
    }
  }
  const closest = places.toSorted((a, b) => a.mismatches - b.mismatches).slice(0, maxClosest)
  const inOrder = closest.toSorted((a, b) => a.array - b.array || a.position - b.position)
  return yield* explainElements(elements, arrays, inOrder)
}

/** Whether an element can match at all: only an object or an array has fields. */
const isTested = ({ target }: ElementClauses, element: Json): boolean =>
  target === 'value' || (typeof element === 'object' && element !== null)

function* countElementMismatches(elements: ElementClauses, element: Json): Work<number> {
  return isTested(elements, element) ? yield* countMismatches(elements.clauses, element) : Infinity
}

function* explainElements(
  elements: ElementClauses,
  arrays: readonly (readonly Json[])[],
  places: readonly ElementPlace[],
): Work<ElementExplanation[]> {
  const explanations: ElementExplanation[] = []
  for (const { array, position } of places) {
    const element = arrays[array]?.[position] as Json
    const hasFields = isTested(elements, element)
    // Within an element, only the closest one is explained: nested conditions would multiply.
    const clauses = hasFields ? yield* explainClauses(elements.clauses, element, 1) : []
    const verdicts = clauses.map(({ matches }) => matches)
    explanations.push({
      ...(arrays.length > 1 && { array }),
      position,
      matches: hasFields && combineVerdicts('every', verdicts),
      clauses,
    })
  }
  return explanations
}

/**
 * Counts the operators that keep an item from matching. A combination of which some must match counts
 * as its closest branch.
 * @throws as `explainClauses` does
 */
export function* countMismatches(clauses: readonly Clause[], value: Json): Work<number> {
  let sum = 0
  for (const clause of clauses) sum += (yield* compare(clause, value)).mismatches
  return sum
}

interface Comparison {
  readonly verdict: Verdict
  readonly mismatches: number
}

function* compare(clause: Clause, value: Json): Work<Comparison> {
  if (!('clauses' in clause)) {
    const { matches: verdict } = yield* testLeaf(clause, value)
    yield 'explaining the query'
    return { verdict, mismatches: verdict === true ? 0 : 1 }
  }
  const parts: Comparison[] = []
  for (const each of clause.clauses) parts.push(yield* compare(each, value))
  const verdicts = parts.map((part) => part.verdict)
  const verdict = combineVerdicts(clause.combine, verdicts)
  const counts = parts.map((part) => part.mismatches)
  if (verdict === true) return { verdict, mismatches: 0 }
  if (clause.combine === 'every')
    return { verdict, mismatches: counts.reduce((sum, count) => sum + count, 0) }
  return { verdict, mismatches: clause.combine === 'some' ? Math.min(...counts) : 1 }
}

/**
 * Whether an item matches a query, as a list decides it.
 * @throws PatternTooCostly, and QueryInvalid or BoundExceeded if an `$expr` can't be evaluated
 */
export function* matchItem({ needsTimeout, matches }: Selector, item: JsonObject): Work<boolean> {
  return needsTimeout ? yield* retryTimeouts(() => runPattern(() => matches(item))) : matches(item)
}
