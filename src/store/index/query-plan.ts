import { MATCH_ALL, evaluateAndCount } from '@materials-mock/query'
import type {
  CompiledListQuery,
  EntryList,
  Evaluation,
  IndexableCondition,
  PathConditions,
  Scalar,
  Selector,
  SortSpec,
} from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import type { Entry } from '../entry.js'
import type { Index, Range } from './index.js'
import type { View } from './view.js'

export type FindOptions = Omit<CompiledListQuery, 'fields'>

/** A plan for one list: the entries to evaluate, and whether they still have to be matched and sorted. */
export interface QueryPlan {
  /** The plan in words: `scan`, `index on formula`, `index on formula, for the order`. */
  readonly description: string
  /** The entries to evaluate. A write may change this list. */
  readonly entries: EntryList<Entry>
  readonly hold: () => EntryList<Entry>
  readonly isExact: boolean
  /** The sort that remains to be done; undefined if the entries come in the right order. */
  readonly sort: SortSpec | undefined
}

/** The number of items that a view must have before an index is worth its creation. */
export const MIN_INDEXED = 500

/** An index that leaves at most 1/100 of the items is selective: no other index is tried. */
const SELECTIVE_SHARE = 100

/** An index for the sort is preferred unless filtering leaves fewer than 1/20 of the items. */
const SORT_INDEX_SHARE = 20

/** The largest number of candidates that are sorted into natural order at once: 100,000 take 20 ms. */
const MAX_ORDERED = 50_000

const NO_CONDITIONS: readonly IndexableCondition[] = []

interface Candidates {
  readonly path: string
  readonly index: Index
  readonly conditions: readonly IndexableCondition[]
  /** The ranges in the order of the index. They do not overlap. */
  readonly ranges: readonly Range[]
  readonly count: number
}

/** Returns the plan for a list: the entries that an index leaves, the entries of the sort index, or all entries. */
export function createPlan(
  { selector, sort }: Pick<FindOptions, 'selector' | 'sort'>,
  view: View,
): QueryPlan {
  const scan: QueryPlan = {
    description: 'scan',
    entries: view.entries,
    hold: () => view.share(),
    isExact: isExact(selector, NO_CONDITIONS),
    sort,
  }
  const { length } = view.entries
  if (length < MIN_INDEXED) return scan
  // No query removes an index that it uses itself, and none creates two.
  const byPath = selector.byPath.slice(0, view.capacity)
  const missing = byPath.find(({ path }) => !view.hasIndex(path))
  const usable = byPath.filter((each) => each === missing || view.hasIndex(each.path))
  const fewest = findFewest(usable, view)
  if (fewest !== undefined && fewest.count * SORT_INDEX_SHARE <= length)
    return planCandidates(fewest, selector, sort)
  const [order, ...more] = sort?.paths ?? []
  // A list to be sorted tests every item. So an `$expr` fails whether or not there is an index.
  const isOrderable = more.length === 0 && !selector.hasExpr
  const isKept =
    order !== undefined &&
    (view.hasIndex(order.path) || (missing === undefined && byPath.length < view.capacity))
  const index = isOrderable && isKept ? view.findIndex(order.path) : undefined
  if (order !== undefined && index !== undefined) {
    const onPath = selector.byPath.find(({ path }) => path === order.path)
    const conditions = onPath?.conditions ?? NO_CONDITIONS
    const [range, ...others] = findRanges(index, conditions)
    if (range !== undefined && others.length === 0) {
      const entries = order.direction === 1 ? index.ascending(range) : index.descending(range)
      return {
        description: `index on ${order.path}, for the order`,
        entries,
        hold: () => copyList(entries),
        isExact: isExact(selector, conditions),
        sort: undefined,
      }
    }
  }
  if (fewest === undefined) return scan
  // A list to be sorted evaluates every entry. A list in natural order stops when its page is full.
  if (sort !== undefined)
    return fewest.count <= MAX_ORDERED ? planCandidates(fewest, selector, sort) : scan
  return isInOrder(fewest) && isExact(selector, fewest.conditions)
    ? planCandidates(fewest, selector, sort)
    : scan
}

/** Returns the page of a plan if it is a slice of the plan's entries, so that no item has to be read. */
function slicePlan(
  { entries, isExact, sort }: QueryPlan,
  { skip, limit }: Pick<FindOptions, 'skip' | 'limit'>,
): Entry[] | undefined {
  if (!isExact) return undefined
  if (sort === undefined) return copyList(entries, skip, skip + limit)
  if (sort.isReverseNatural !== true) return undefined
  const end = Math.max(0, entries.length - skip)
  return copyList(entries, Math.max(0, end - limit), end).toReversed()
}

/**
 * Evaluates a plan, and counts the items that are read. A slice of a plan reads the items of its page.
 * @param isCounted whether the caller may count all items that match
 * @throws as `evaluate` does
 */
export function* evaluatePlan(
  plan: QueryPlan,
  options: FindOptions,
  isCounted = false,
): Work<Evaluation<Entry>> {
  const page = slicePlan(plan, options)
  const total = plan.entries.length
  if (page !== undefined) return { page, examined: page.length, matched: page.length, total }
  const { entries, hold, isExact, sort } = plan
  const { selector, skip, limit } = options
  return yield* evaluateAndCount(entries, {
    selector: isExact ? MATCH_ALL : selector,
    sort,
    skip,
    limit,
    hold,
    isCounted,
  })
}

function copyList(list: EntryList<Entry>, from = 0, to: number = list.length): Entry[] {
  const end = Math.min(to, list.length)
  const copy: Entry[] = []
  for (let position = from; position < end; position += 1) copy.push(list.at(position)!)
  return copy
}

function planCandidates(
  candidates: Candidates,
  selector: Selector,
  sort: SortSpec | undefined,
): QueryPlan {
  const { path, index, conditions, ranges } = candidates
  const lists = ranges.map((range) => index.ascending(range))
  const [only] = lists
  const entries =
    only !== undefined && isInOrder(candidates)
      ? only
      : sortOrdered(lists.flatMap((list) => copyList(list)))
  return {
    description: `index on ${path}`,
    entries,
    hold: () => (entries === only ? copyList(entries) : entries),
    isExact: isExact(selector, conditions),
    sort,
  }
}

/** Whether the candidates come in natural order. */
const isInOrder = ({ index, ranges: [only, ...others] }: Candidates): boolean =>
  only !== undefined && others.length === 0 && index.isUniform(only)

/** Whether an item that meets some of the conditions matches. */
const isExact = (
  { conditionCount, isConjunction }: Selector,
  met: readonly IndexableCondition[],
): boolean => isConjunction && met.length === conditionCount

function findFewest(byPath: readonly PathConditions[], view: View): Candidates | undefined {
  let fewest: Candidates | undefined
  for (const { path, conditions } of byPath) {
    const index = view.findIndex(path)
    if (index === undefined) continue
    const ranges = findRanges(index, conditions)
    let count = 0
    for (const { from, to } of ranges) count += to - from
    if (fewest === undefined || count < fewest.count)
      fewest = { path, index, conditions, ranges, count }
    if (count * SELECTIVE_SHARE <= view.entries.length) break
  }
  return fewest
}

/** Returns the ranges of the entries that meet all conditions, in the order of the index. */
function findRanges(index: Index, conditions: readonly IndexableCondition[]): readonly Range[] {
  let ranges: readonly Range[] | undefined
  for (const condition of conditions) {
    const found = findConditionRanges(index, condition)
    const met = ranges?.flatMap((range) => found.map((each) => intersect(range, each))) ?? found
    ranges = met.filter(isFilled)
  }
  return ranges ?? [index.whole]
}

function findConditionRanges(index: Index, { operator, operand }: IndexableCondition): Range[] {
  if (operator !== '$in') return [index.findRange(operator, operand as Scalar)]
  const scalars = new Set(operand as readonly Scalar[])
  return [...scalars].map((scalar) => index.findRange('$eq', scalar)).toSorted(byStart)
}

const byStart = (a: Range, b: Range): number => a.from - b.from

const intersect = (a: Range, b: Range): Range => ({
  from: Math.max(a.from, b.from),
  to: Math.min(a.to, b.to),
})

const isFilled = ({ from, to }: Range): boolean => from < to

/**
 * Sorts the ordinals in an array of numbers: a comparison of entries reads two places of the heap.
 */
function sortOrdered(entries: readonly Entry[]): Entry[] {
  const count = entries.length
  const keys = new Float64Array(count)
  for (let index = 0; index < count; index += 1)
    keys[index] = entries[index]!.ordinal * count + index
  return Array.from(keys.toSorted(), (key) => entries[key % count]!)
}
