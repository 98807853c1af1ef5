import { describeConditions } from '../query/condition.js'
import { waitForSort } from '../query/page.js'
import type { Work } from '../work/work.js'
import type { Collection } from './collection.js'
import type { VisibilityFilter } from './entry.js'
import { createPlan, evaluatePlan } from './index/query-plan.js'
import type { FindOptions } from './index/query-plan.js'

/** How a list was evaluated. Items that the account does not see are not counted. */
export interface Explanation {
  /** The plan in words: `scan`, `index on formula`. */
  readonly plan: string
  /** The conditions that are tested on the examined items: `n $gt`, `$jsonSchema`. */
  readonly conditions: readonly string[]
  /** The largest number of items that the plan has to examine. */
  readonly candidates: number
  /** The number of items examined until the page was full. */
  readonly examined: number
  /** The number of examined items that match the query. */
  readonly matched: number
  /** The number of items on the page. */
  readonly returned: number
  /** The time from the plan to the page, in ms. */
  readonly ms: number
}

/**
 * Evaluates a list as `Collection.find` does, and returns the plan and the counts.
 * @throws as `Collection.find` does
 */
export function* explain(
  collection: Collection,
  options: FindOptions,
  isVisible: VisibilityFilter,
): Work<Explanation> {
  yield* waitForSort(options, collection.size)
  const start = performance.now()
  const plan = createPlan(options, collection.view(isVisible))
  const candidates = plan.entries.length
  const { page, examined, matched } = yield* evaluatePlan(plan, options)
  const ms = Math.round((performance.now() - start) * 1000) / 1000
  return {
    plan: plan.description,
    conditions: plan.isExact ? [] : describeConditions(options.selector.tree),
    candidates,
    examined,
    matched,
    returned: page.length,
    ms,
  }
}
