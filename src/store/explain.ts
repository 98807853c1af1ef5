import type { Selector } from '../query/selector.js'
import type { Accepts } from './access.js'
import type { Collection, Listing } from './collection.js'
import { evaluatePlan } from './plan.js'

/** How one list was evaluated. */
export interface Explanation {
  /** What was used: `scan`, `hash index on formula`. */
  readonly plan: string
  /** How many items that left to look at, at most. */
  readonly candidates: number
  /** How many of them were looked at until the page was full. */
  readonly examined: number
  /** How many of those meet the query and are accessible. */
  readonly fitted: number
  /** How many are on the page. */
  readonly returned: number
  /** Milliseconds from the plan to the page, the making of an index included. */
  readonly ms: number
}

/**
 * Evaluates a list as `Collection.find` does, and counts. All counting is around the selector and
 * `accepts` of this one evaluation; a selector that the plan makes needless is asked nothing.
 * @throws BudgetExceeded
 */
export async function explain(
  collection: Collection,
  listing: Listing,
  accepts: Accepts,
): Promise<Explanation> {
  const counted = { examined: 0, fitted: 0 }
  const start = performance.now()
  const plan = collection.plan(listing)
  const selector: Selector = {
    ...listing.selector,
    matches: (item) => {
      counted.examined += 1
      return plan.isDecided || listing.selector.matches(item)
    },
  }
  const counting = { ...plan, isDecided: false }
  const page = await evaluatePlan(counting, { ...listing, selector }, (entry) => {
    const isAccessible = accepts(entry)
    if (isAccessible) counted.fitted += 1
    return isAccessible
  })
  const ms = Math.round((performance.now() - start) * 1000) / 1000
  return { plan: plan.by, candidates: plan.count, ...counted, returned: page.length, ms }
}
