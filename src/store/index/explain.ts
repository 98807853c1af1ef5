import { needPageMemory } from '../../query/page.js'
import type { Selector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { Collection } from '../collection.js'
import type { Entry } from '../entry.js'
import type { FindOptions } from '../find-options.js'
import type { VisibilityFilter } from '../visibility.js'
import { evaluatePlan, isIndexSlice } from './query-plan.js'
import type { QueryPlan } from './query-plan.js'

/** How a list was evaluated. */
export interface Explanation {
  /** The plan in words: `scan`, `hash index on formula`. */
  readonly plan: string
  /** The conditions that the examined items are matched with: `n $gt`, `$jsonSchema`. */
  readonly conditions: readonly string[]
  /** The number of items that the plan leaves to examine, at most. */
  readonly candidates: number
  /** The number of items examined until the page was full. */
  readonly examined: number
  /** The number of examined items that match the query and are visible. */
  readonly matched: number
  /** The number of items on the page. */
  readonly returned: number
  /** The time from the plan to the page, in ms, with the creation of indexes. */
  readonly ms: number
}

/**
 * Evaluates a list as `Collection.find` does, and counts the items.
 * @throws BudgetExceeded for an evaluation that takes longer than the options' budget
 */
export function* explain(
  collection: Collection,
  options: FindOptions,
  isVisible: VisibilityFilter,
): Work<Explanation> {
  yield* needPageMemory(options, collection.size)
  const start = performance.now()
  const plan = collection.plan(options)
  const { page, examined, matched } = isIndexSlice(plan, collection.visibilityFilter(isVisible))
    ? yield* sliceIndex(plan, options)
    : yield* countMatches(plan, options, isVisible)
  const ms = Math.round((performance.now() - start) * 1000) / 1000
  return {
    plan: plan.description,
    conditions: plan.isExact ? [] : options.selector.describeConditions(),
    candidates: plan.count,
    examined,
    matched,
    returned: page.length,
    ms,
  }
}

type Counted = Pick<Explanation, 'examined' | 'matched'> & { readonly page: readonly Entry[] }

function* sliceIndex(plan: QueryPlan, options: FindOptions): Work<Counted> {
  const page = yield* evaluatePlan(plan, options, undefined)
  return { page, examined: page.length, matched: page.length }
}

function* countMatches(
  plan: QueryPlan,
  options: FindOptions,
  isVisible: VisibilityFilter,
): Work<Counted> {
  const counts = { examined: 0, matched: 0 }
  // With an $expr, only visible items are matched; without one, only matching items are filtered.
  const { hasExpressions } = options.selector
  const countingSelector: Selector = {
    ...options.selector,
    matches: (item) => {
      counts.examined += 1
      const isMatch = plan.isExact || options.selector.matches(item)
      if (isMatch && hasExpressions) counts.matched += 1
      return isMatch
    },
  }
  // Not exact, so that the counting selector is applied.
  const page = yield* evaluatePlan(
    { ...plan, isExact: false },
    { ...options, selector: countingSelector },
    (entry) => {
      const isIncluded = isVisible(entry)
      if (isIncluded && !hasExpressions) counts.matched += 1
      return isIncluded
    },
  )
  return { page, ...counts }
}
