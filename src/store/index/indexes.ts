import type { Json } from '../../json/json.js'
import type { IndexRange } from '../../query/evaluate.js'
import type { IndexableCondition } from '../../query/selector/compile-selector.js'
import type { SortPath } from '../../query/sort/sort-spec.js'
import type { Scheduler } from '../../work/scheduler.js'
import type { Entry } from '../entry.js'
import { mergeOrdered } from '../natural-order.js'
import { HashIndex, isScalar } from './hash-index.js'
import { IndexPool } from './index-pool.js'
import { SortedIndex } from './sorted-index.js'
import type { Comparison } from './sorted-index.js'

/** The number of items that a collection must have before an index is worth its creation. */
export const MIN_INDEXED = 500

/** A hash index is selective if it leaves at most 1/100 of the items: no other index is tried. */
const SELECTIVE_SHARE = 100

/** The entries that an index leaves: all that could match, and perhaps more. */
export interface Candidates {
  /** The conditions that hold for each of the entries, and for no other entry. */
  readonly exactConditions: readonly IndexableCondition[]
  /** The index in words: `hash index on formula`. */
  readonly description: string
  readonly count: number
  readonly entries: () => readonly Entry[]
  /** The part of the entries that are candidates (default: all of them). */
  readonly range?: IndexRange
}

/** The indexes of one collection, which find candidates for conditions. */
export class Indexes {
  readonly #pool: IndexPool<HashIndex | SortedIndex>

  constructor(scheduler: Scheduler) {
    this.#pool = new IndexPool(scheduler)
  }

  /** Returns the fewest candidates for all conditions; undefined if no index helps. */
  narrow(conditions: readonly IndexableCondition[], all: readonly Entry[]): Candidates | undefined {
    const equal = findFewest(conditions.flatMap((condition) => this.#findByHash(condition, all)))
    if (equal !== undefined && equal.count * SELECTIVE_SHARE <= all.length) return equal
    const paths = new Set(conditions.filter(isComparison).map(({ path }) => path))
    const compared = [...paths].flatMap((path) => this.#findByRange(path, conditions, all))
    return findFewest(equal === undefined ? compared : [equal, ...compared])
  }

  /**
   * Returns the candidates for the conditions on a path, sorted by that path; undefined if an item
   * has an array there, which sorts by rules of its own.
   */
  sortedBy(
    { path, direction }: SortPath,
    conditions: readonly IndexableCondition[],
    all: readonly Entry[],
  ): Candidates | undefined {
    const index = this.#sortedIndex(path, direction, all)
    if (index?.hasNoArrays !== true) return undefined
    const whole = { from: 0, to: index.entries.length }
    const exactConditions = filterComparisons(path, conditions)
    const range = findRanges(index, exactConditions).reduce(intersect, whole)
    return {
      description: `sorted index on ${path}, for the order`,
      exactConditions,
      count: range.to - range.from,
      entries: () => index.entries,
      range,
    }
  }

  add(entry: Entry): void {
    this.#pool.add(entry)
  }

  remove(entry: Entry): void {
    this.#pool.remove(entry)
  }

  /** Whether an index is being created: until then, nobody may change the array it is made of. */
  get isCreating(): boolean {
    return this.#pool.isCreating
  }

  /** Gives up the index that is being created, if there is one. */
  cancelCreation(): void {
    this.#pool.cancelCreation()
  }

  #findByHash(condition: IndexableCondition, all: readonly Entry[]): Candidates[] {
    const { path, operator, operand } = condition
    const operands =
      operator === '$eq' ? [operand] : operator === '$in' ? (operand as readonly Json[]) : undefined
    if (operands === undefined || !operands.every(isScalar)) return []
    const index = this.#pool.get(`hash ${path}`, all, (each) => HashIndex.create(path, each))
    if (!(index instanceof HashIndex)) return []
    const buckets = [...new Set(operands)].map((scalar) => index.find(scalar))
    return [
      {
        description: `hash index on ${path}`,
        exactConditions: [condition],
        count: buckets.reduce((sum, { length }) => sum + length, 0),
        entries: () => mergeOrdered(buckets),
      },
    ]
  }

  #findByRange(
    path: string,
    conditions: readonly IndexableCondition[],
    all: readonly Entry[],
  ): Candidates[] {
    const index = this.#sortedIndex(path, 1, all)
    if (index === undefined) return []
    const comparisons = filterComparisons(path, conditions)
    // One element of an array may meet one comparison, and another element another.
    const range = findRanges(index, comparisons).reduce(index.hasNoArrays ? intersect : pickShorter)
    return [
      {
        description: `sorted index on ${path}`,
        exactConditions: index.hasNoArrays ? comparisons : [],
        count: range.to - range.from,
        entries: () => index.inNaturalOrder(range),
      },
    ]
  }

  #sortedIndex(path: string, direction: 1 | -1, all: readonly Entry[]): SortedIndex | undefined {
    const index = this.#pool.get(`sorted ${direction} ${path}`, all, (entries) =>
      SortedIndex.create(path, direction, entries),
    )
    return index instanceof SortedIndex ? index : undefined
  }
}

/** A condition that a range of a sorted index answers. */
interface ComparisonCondition extends IndexableCondition {
  readonly operator: Comparison
}

const isComparison = (condition: IndexableCondition): condition is ComparisonCondition =>
  condition.operator !== '$eq' && condition.operator !== '$in' && isScalar(condition.operand)

const filterComparisons = (
  path: string,
  conditions: readonly IndexableCondition[],
): ComparisonCondition[] =>
  conditions.filter(isComparison).filter((condition) => condition.path === path)

/** Returns the range of the index that each comparison leaves. */
const findRanges = (
  index: SortedIndex,
  comparisons: readonly ComparisonCondition[],
): IndexRange[] => comparisons.map(({ operator, operand }) => index.findRange(operator, operand))

const findFewest = (all: readonly Candidates[]): Candidates | undefined =>
  all.reduce<Candidates | undefined>(
    (best, each) => (best === undefined || each.count < best.count ? each : best),
    undefined,
  )

/** Returns the common part of two ranges. Correct only if each entry has one position. */
function intersect(a: IndexRange, b: IndexRange): IndexRange {
  const from = Math.max(a.from, b.from)
  return { from, to: Math.max(from, Math.min(a.to, b.to)) }
}

const pickShorter = (a: IndexRange, b: IndexRange): IndexRange =>
  b.to - b.from < a.to - a.from ? b : a
