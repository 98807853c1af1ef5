import { evaluate } from '../../query/evaluate.js'
import type { IndexRange } from '../../query/evaluate.js'
import { MATCH_ALL } from '../../query/selector/compile-selector.js'
import type { Selector } from '../../query/selector/compile-selector.js'
import type { SortSpec } from '../../query/sort/sort-spec.js'
import type { Work } from '../../work/work.js'
import type { Entry } from '../entry.js'
import type { FindOptions } from '../find-options.js'
import type { VisibilityFilter } from '../visibility.js'
import { MIN_INDEXED } from './indexes.js'
import type { Candidates, Indexes } from './indexes.js'

/** A plan for one list: the entries to evaluate, and whether they still have to be sorted. */
export interface QueryPlan {
  /** The plan in words: `scan`, `hash index on formula`. */
  readonly description: string
  /** The number of entries to evaluate at most. */
  readonly count: number
  readonly entries: () => readonly Entry[]
  /** The part of the entries to evaluate; undefined for all of them. */
  readonly range: IndexRange | undefined
  /** Whether each of the entries matches the query, so that the selector is not needed. */
  readonly isExact: boolean
  /** The sort that is still to be done; undefined if the entries come in the right order. */
  readonly sort: SortSpec | undefined
}

/** An index for the sort is preferred unless filtering leaves fewer than 1/20 of the items. */
const SORT_INDEX_SHARE = 20

/** The number of candidates that are brought into natural order at once: 100,000 take 20 ms. */
const MAX_ORDERED = 50_000

/** Returns the plan for a list: the entries that an index leaves, those of the sort index, or all. */
export function createPlan(
  { selector, sort }: Pick<FindOptions, 'selector' | 'sort'>,
  all: readonly Entry[],
  indexes: Indexes,
): QueryPlan {
  const { conditions } = selector
  if (all.length < MIN_INDEXED) return planScan(all, selector, sort)
  const narrowed = indexes.narrow(conditions, all)
  if (narrowed !== undefined && narrowed.count * SORT_INDEX_SHARE <= all.length)
    return toPlan(narrowed, selector, sort)
  const [path, ...more] = sort?.paths ?? []
  if (path !== undefined && more.length === 0) {
    const sorted = indexes.sortedBy(path, conditions, all)
    if (sorted !== undefined) return toPlan(sorted, selector, undefined)
  }
  // A list to be sorted evaluates every entry; one in natural order stops when its page is full.
  if (narrowed !== undefined && sort !== undefined && narrowed.count <= MAX_ORDERED)
    return toPlan(narrowed, selector, sort)
  return planScan(all, selector, sort)
}

const planScan = (
  all: readonly Entry[],
  selector: Selector,
  sort: SortSpec | undefined,
): QueryPlan =>
  toPlan(
    { description: 'scan', exactConditions: [], count: all.length, entries: () => all },
    selector,
    sort,
  )

const toPlan = (
  { description, count, entries, range, exactConditions }: Candidates,
  { conditions, isConjunction }: Selector,
  sort: SortSpec | undefined,
): QueryPlan => ({
  description,
  count,
  entries,
  range,
  isExact: isConjunction && conditions.every((each) => exactConditions.includes(each)),
  sort,
})

/** Whether a page is a slice of the plan's entries, so that no item has to be read. */
export const isIndexSlice = (
  { isExact, sort }: QueryPlan,
  isVisible: VisibilityFilter | undefined,
): boolean => isExact && sort === undefined && isVisible === undefined

/**
 * Evaluates a plan. Returns its page.
 * @param isVisible applied to the entries that match; undefined if all are visible
 * @param retain as in `EvaluateOptions`
 * @throws as `evaluate` does
 */
export function* evaluatePlan(
  plan: QueryPlan,
  { selector, skip, limit }: FindOptions,
  isVisible: VisibilityFilter | undefined,
  retain?: (entries: readonly Entry[]) => boolean,
): Work<Entry[]> {
  const { range, isExact, sort } = plan
  const entries = plan.entries()
  if (isIndexSlice(plan, isVisible)) {
    const { from, to } = range ?? { from: 0, to: entries.length }
    return entries.slice(from + skip, Math.min(to, from + skip + limit))
  }
  return yield* evaluate(entries, {
    selector: isExact ? MATCH_ALL : selector,
    sort,
    skip,
    limit,
    range,
    isIncluded: isVisible,
    ...(retain && { retain }),
  })
}
