import type { Selector } from '../query/selector.js'
import type { Accepts } from './access.js'
import type { Collection, Entry, Listing } from './collection.js'
import { evaluatePlan, isPiece } from './plan.js'
import type { Plan } from './plan.js'

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
 * `accepts` of this one evaluation.
 * @throws BudgetExceeded
 */
export async function explain(
  collection: Collection,
  listing: Listing,
  accepts: Accepts,
): Promise<Explanation> {
  const start = performance.now()
  const plan = collection.plan(listing)
  const filter = collection.filter(accepts)
  const { page, examined, fitted } = isPiece(plan, filter)
    ? await cut(plan, listing)
    : await count(plan, listing, accepts)
  const ms = Math.round((performance.now() - start) * 1000) / 1000
  return {
    plan: plan.by,
    candidates: plan.count,
    examined,
    fitted,
    returned: page.length,
    ms,
  }
}

/** A page, and what was counted on the way to it. */
type Counted = Pick<Explanation, 'examined' | 'fitted'> & { readonly page: readonly Entry[] }

/** No more is looked at than what is on the page. */
async function cut(plan: Plan, listing: Listing): Promise<Counted> {
  const page = await evaluatePlan(plan, listing, undefined)
  return { page, examined: page.length, fitted: page.length }
}

/** A selector that the plan makes needless is asked nothing. */
async function count(plan: Plan, listing: Listing, accepts: Accepts): Promise<Counted> {
  const counted = { examined: 0, fitted: 0 }
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
  return { page, ...counted }
}
