import { CatalogueError } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'
import { needsTimeout, sumCosts } from '../condition.js'
import type { Combination, Condition, ElementQuery, FieldTest, ItemTest } from '../condition.js'
import { retryTimeouts, runPattern } from '../run-pattern.js'
import { canMatch, compileTest } from '../selector/compile-conditions.js'
import type { Matcher } from '../selector/compile-conditions.js'
import type { Selector } from '../selector/compile-selector.js'
import { combineVerdicts } from './explanation.js'
import type { ClauseExplanation, ElementExplanation, Verdict } from './explanation.js'
import { findValues, readValues } from './found-values.js'

/** The largest number of elements of one array that are compared to find the closest elements. */
const MAX_COMPARED = 1000

/** The largest number of closest elements that are explained. */
const MAX_CLOSEST = 3

/** Explains why items match a query, or why not, from the tree that matches them. */
export class Explainer {
  readonly #selector: Pick<Selector, 'tree' | 'start'>
  readonly #matchers = new Map<FieldTest, Matcher>()

  constructor(selector: Pick<Selector, 'tree' | 'start'>) {
    this.#selector = selector
  }

  /** @throws PatternTooCostly if matching the item takes more than 20 ms */
  *explain(item: JsonObject): Work<MatchExplanation> {
    const all = yield* this.#explainAll(this.#selector.tree, item, MAX_CLOSEST)
    return { clauses: listClauses(all), mismatches: sumMismatches(all) }
  }

  *#explainAll(
    conditions: readonly Condition[],
    value: Json,
    maxClosest: number,
  ): Work<Explained[]> {
    const all: Explained[] = []
    for (const condition of conditions)
      all.push(yield* this.#explain(split(condition), value, maxClosest))
    return all
  }

  *#explain(condition: Condition, value: Json, maxClosest: number): Work<Explained> {
    const { path, operator, operand } = condition
    const written = {
      ...(path !== undefined && { path }),
      operator,
      ...(operand !== undefined && { operand }),
    }
    if (condition.kind === 'combination') {
      const { combine, conditions } = condition
      const parts = yield* this.#explainAll(conditions, value, maxClosest)
      const clauses = listClauses(parts)
      const matches = combineVerdicts(combine, listVerdicts(clauses))
      return {
        clause: { ...written, matches, ...findValues(condition, value), clauses },
        mismatches: matches === true ? 0 : countCombined(combine, parts),
      }
    }
    const result = yield* this.#test(condition, value)
    const mismatches = result.matches === true ? 0 : 1
    const clause = { ...written, ...result, ...this.#findValues(condition, value) }
    yield 'explaining the query'
    if (condition.kind === 'item' || condition.elements === undefined) return { clause, mismatches }
    const arrays = readValues(condition, value).filter((each) => Array.isArray(each))
    const compared = mismatches === 0 ? arrays : arrays.map((each) => each.slice(0, MAX_COMPARED))
    const elements = yield* this.#explainElements(condition.elements, compared, maxClosest)
    return { clause: { ...clause, elements }, mismatches }
  }

  /** Tests a condition as a list does. An `$expr` that can't be evaluated has an error instead of a verdict. */
  *#test(
    test: FieldTest | ItemTest,
    value: Json,
  ): Work<Pick<ClauseExplanation, 'matches' | 'error'>> {
    const matches = this.#compile(test)
    const run = (): boolean => {
      this.#start(test, value)
      return matches(value)
    }
    try {
      if (!needsTimeout(sumCosts([test]))) return { matches: run() }
      return { matches: yield* retryTimeouts(() => runPattern(run)) }
    } catch (error) {
      if (!(error instanceof CatalogueError) || !EXPRESSION_ERRORS.has(error.code)) throw error
      return { matches: null, error: error.message }
    }
  }

  #compile(test: FieldTest | ItemTest): Matcher {
    if (test.kind === 'item') return test.matches
    const matches = this.#matchers.get(test) ?? compileTest(test)
    this.#matchers.set(test, matches)
    return matches
  }

  #findValues(test: FieldTest | ItemTest, value: Json): Partial<ClauseExplanation> {
    this.#start(test, value)
    return findValues(test, value)
  }

  /** Restarts the count of steps, so that the expressions of each condition have their own. */
  #start({ kind }: Condition, value: Json): void {
    if (kind === 'item') this.#selector.start(value as JsonObject)
  }

  /** Explains the first element that matches, or else the elements that fail the fewest operators. */
  *#explainElements(
    query: ElementQuery,
    arrays: readonly (readonly Json[])[],
    maxClosest: number,
  ): Work<ElementExplanation[]> {
    let closest: ExplainedElement[] = []
    for (const place of listElements(arrays)) {
      const explained = yield* this.#explainElement(query, place)
      if (explained.element.matches === true) return [explained.element]
      closest = [...closest, explained]
        .toSorted((a, b) => a.mismatches - b.mismatches)
        .slice(0, maxClosest)
    }
    return closest
      .map(({ element }) => element)
      .toSorted((a, b) => (a.array ?? 0) - (b.array ?? 0) || a.position - b.position)
  }

  *#explainElement(query: ElementQuery, { value, ...place }: ElementPlace): Work<ExplainedElement> {
    const hasFields = canMatch(query, value)
    // Within an element, only the closest nested element is explained, because explanations would multiply.
    const parts = hasFields ? yield* this.#explainAll(query.conditions, value, 1) : []
    const clauses = listClauses(parts)
    const matches = hasFields && combineVerdicts('every', listVerdicts(clauses))
    return {
      element: { ...place, matches, clauses },
      mismatches: hasFields ? sumMismatches(parts) : Infinity,
    }
  }
}

/** Why an item matches a query, or why not. */
export interface MatchExplanation {
  readonly clauses: ClauseExplanation[]
  /** A combination that needs only one branch counts as its closest branch. */
  readonly mismatches: number
}

interface Explained {
  readonly clause: ClauseExplanation
  readonly mismatches: number
}

interface ExplainedElement {
  readonly element: ElementExplanation
  readonly mismatches: number
}

const listClauses = (all: readonly Explained[]): ClauseExplanation[] =>
  all.map(({ clause }) => clause)

const listVerdicts = (clauses: readonly ClauseExplanation[]): Verdict[] =>
  clauses.map(({ matches }) => matches)

const sumMismatches = (all: readonly Explained[]): number =>
  all.reduce((sum, { mismatches }) => sum + mismatches, 0)

function countCombined(combine: Combination['combine'], parts: readonly Explained[]): number {
  if (combine === 'every') return sumMismatches(parts)
  if (combine !== 'some' || parts.length === 0) return 1
  return Math.min(...parts.map(({ mismatches }) => mismatches))
}

/** An element of an array, its position, and the number of its array if there are several. */
interface ElementPlace extends Pick<ElementExplanation, 'array' | 'position'> {
  readonly value: Json
}

function* listElements(arrays: readonly (readonly Json[])[]): Generator<ElementPlace> {
  for (const [array, each] of arrays.entries()) {
    for (const [position, value] of each.entries())
      yield { ...(arrays.length > 1 && { array }), position, value }
  }
}

const split = (condition: Condition): Condition =>
  condition.kind === 'item' ? (condition.split?.() ?? condition) : condition

/** The errors of an `$expr` that can't be evaluated for an item. */
const EXPRESSION_ERRORS: ReadonlySet<string> = new Set(['QUERY_INVALID', 'BOUND_EXCEEDED'])

/**
 * As a list decides it.
 * @throws PatternTooCostly; QueryInvalid or BoundExceeded for an `$expr`
 */
export function* matchItem(selector: Selector, item: JsonObject): Work<boolean> {
  const run = (): boolean => selector.matches(item)
  return selector.needsTimeout ? yield* retryTimeouts(() => runPattern(run)) : run()
}
