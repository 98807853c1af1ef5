import { CatalogueError } from '../../errors.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { Work } from '../../work/work.js'
import { needsTimeout, sumCosts } from '../condition.js'
import type { Condition, ElementQuery, FieldTest, ItemTest } from '../condition.js'
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

  /**
   * Explains the verdict of each condition for an item, down to the operators in combinations.
   * @throws PatternTooCostly if matching the item takes more than 20 ms
   */
  explain(item: JsonObject): Work<ClauseExplanation[]> {
    return this.#explainAll(this.#selector.tree, item, MAX_CLOSEST)
  }

  /**
   * Counts the operators that keep an item from matching. A combination that needs only one branch
   * counts as its closest branch.
   * @throws as `explain` does
   */
  countMismatches(item: JsonObject): Work<number> {
    return this.#countAll(this.#selector.tree, item)
  }

  *#explainAll(
    conditions: readonly Condition[],
    value: Json,
    maxClosest: number,
  ): Work<ClauseExplanation[]> {
    const explanations: ClauseExplanation[] = []
    for (const condition of conditions)
      explanations.push(yield* this.#explain(split(condition), value, maxClosest))
    return explanations
  }

  *#explain(condition: Condition, value: Json, maxClosest: number): Work<ClauseExplanation> {
    const { path, operator, operand } = condition
    const written = {
      ...(path !== undefined && { path }),
      operator,
      ...(operand !== undefined && { operand }),
    }
    if (condition.kind === 'combination') {
      const clauses = yield* this.#explainAll(condition.conditions, value, maxClosest)
      const verdicts = clauses.map(({ matches }) => matches)
      const matches = combineVerdicts(condition.combine, verdicts)
      return { ...written, matches, ...findValues(condition, value), clauses }
    }
    const result = yield* this.#test(condition, value)
    const found = this.#findValues(condition, value)
    if (condition.kind === 'item' || condition.elements === undefined) {
      yield 'explaining the query'
      return { ...written, ...result, ...found }
    }
    const { elements } = condition
    const arrays = readValues(condition, value).filter((each) => Array.isArray(each))
    const places = yield* result.matches === true
      ? this.#findMatchingElement(elements, arrays)
      : this.#findClosestElements(elements, arrays, maxClosest)
    const explained = yield* this.#explainElements(elements, arrays, places)
    return { ...written, ...result, ...found, elements: explained }
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

  /** Finds the first element that matches. */
  *#findMatchingElement(
    elements: ElementQuery,
    arrays: readonly (readonly Json[])[],
  ): Work<ElementPlace[]> {
    for (const [array, each] of arrays.entries()) {
      for (const [position, element] of each.entries())
        if ((yield* this.#countElement(elements, element)) === 0) return [{ array, position }]
    }
    return []
  }

  /** Finds the elements that fail the fewest operators. */
  *#findClosestElements(
    elements: ElementQuery,
    arrays: readonly (readonly Json[])[],
    maxClosest: number,
  ): Work<ElementPlace[]> {
    const places: (ElementPlace & { readonly mismatches: number })[] = []
    for (const [array, each] of arrays.entries()) {
      for (const [position, element] of each.slice(0, MAX_COMPARED).entries()) {
        const mismatches = yield* this.#countElement(elements, element)
        places.push({ array, position, mismatches })
      }
    }
    const closest = places.toSorted((a, b) => a.mismatches - b.mismatches).slice(0, maxClosest)
    return closest.toSorted((a, b) => a.array - b.array || a.position - b.position)
  }

  *#explainElements(
    elements: ElementQuery,
    arrays: readonly (readonly Json[])[],
    places: readonly ElementPlace[],
  ): Work<ElementExplanation[]> {
    const explanations: ElementExplanation[] = []
    for (const { array, position } of places) {
      const element = arrays[array]?.[position] as Json
      const hasFields = canMatch(elements, element)
      // Within an element, only the closest nested element is explained, because explanations would
      // multiply.
      const clauses = hasFields ? yield* this.#explainAll(elements.conditions, element, 1) : []
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

  *#countElement(elements: ElementQuery, element: Json): Work<number> {
    return canMatch(elements, element)
      ? yield* this.#countAll(elements.conditions, element)
      : Infinity
  }

  *#countAll(conditions: readonly Condition[], value: Json): Work<number> {
    let sum = 0
    for (const condition of conditions)
      sum += (yield* this.#compare(split(condition), value)).mismatches
    return sum
  }

  *#compare(condition: Condition, value: Json): Work<Comparison> {
    if (condition.kind !== 'combination') {
      const { matches: verdict } = yield* this.#test(condition, value)
      yield 'explaining the query'
      return { verdict, mismatches: verdict === true ? 0 : 1 }
    }
    const { combine, conditions } = condition
    const parts: Comparison[] = []
    for (const each of conditions) parts.push(yield* this.#compare(split(each), value))
    const verdict = combineVerdicts(
      combine,
      parts.map((part) => part.verdict),
    )
    const counts = parts.map(({ mismatches }) => mismatches)
    if (verdict === true) return { verdict, mismatches: 0 }
    if (combine === 'every')
      return { verdict, mismatches: counts.reduce((sum, count) => sum + count, 0) }
    const isOfClosest = combine === 'some' && counts.length > 0
    return { verdict, mismatches: isOfClosest ? Math.min(...counts) : 1 }
  }
}

/** Splits a condition of a whole item into smaller conditions, which explain more. */
const split = (condition: Condition): Condition =>
  condition.kind === 'item' ? (condition.split?.() ?? condition) : condition

/** The errors of an `$expr` that can't be evaluated for an item. */
const EXPRESSION_ERRORS: ReadonlySet<string> = new Set(['QUERY_INVALID', 'BOUND_EXCEEDED'])

/** The place of an element: the number of its array, and its position. */
interface ElementPlace {
  readonly array: number
  readonly position: number
}

interface Comparison {
  readonly verdict: Verdict
  readonly mismatches: number
}

/**
 * Whether an item matches a query, as a list decides it.
 * @throws PatternTooCostly, and QueryInvalid or BoundExceeded if an `$expr` can't be evaluated
 */
export function* matchItem(selector: Selector, item: JsonObject): Work<boolean> {
  const run = (): boolean => selector.matches(item)
  return selector.needsTimeout ? yield* retryTimeouts(() => runPattern(run)) : run()
}
