import type { Span } from '../query/evaluate.js'
import type { Order } from '../query/order.js'
import type { Condition } from '../query/selector.js'
import type { Json } from '../schemas/json.js'
import type { Entry } from './collection.js'
import { HashIndex, isScalar } from './hash-index.js'
import { mergeOrdered } from './natural-order.js'
import { SortedIndex } from './sorted-index.js'
import type { Comparison } from './sorted-index.js'

/** How many items a collection must have before an index is worth its making. */
export const MIN_INDEXED = 500

/** How many paths of each kind are indexed at most; the one made first goes first. */
const MAX_INDEXES = 16

/** An index leaves few where it leaves one in so many: then no other is asked. */
const FEW = 100

/** Entries that are all that could fit, and perhaps more. */
export interface Candidates {
  /** The conditions that each of the entries meets, and no other entry. */
  readonly decided: readonly Condition[]
  /** What was used, for a person: `hash index on formula`. */
  readonly by: string
  readonly count: number
  readonly entries: () => readonly Entry[]
  /** The part of the entries that is meant, where it is not all of them. */
  readonly span?: Span
}

/**
 * The indexes of one collection, each made at the first use of its path and kept by every write.
 * An index only narrows: which candidates fit, the selector decides where a condition is left.
 */
export class Indexes {
  readonly #hashes = new Map<string, HashIndex>()
  readonly #sorted = new Map<string, SortedIndex>()

  /** The fewest entries that all conditions leave; undefined where no index knows. */
  narrow(conditions: readonly Condition[], all: readonly Entry[]): Candidates | undefined {
    const equal = fewest(conditions.flatMap((condition) => this.#equal(condition, all)))
    if (equal !== undefined && equal.count * FEW <= all.length) return equal
    const paths = new Set(conditions.filter(isComparison).map(({ path }) => path))
    const compared = [...paths].map((path) => this.#compared(path, conditions, all))
    return fewest(equal === undefined ? compared : [equal, ...compared])
  }

  /**
   * The entries that the conditions on a path leave, sorted by it; undefined where an array makes the
   * order another.
   */
  inOrder(
    { path, direction }: Order['keys'][number],
    conditions: readonly Condition[],
    all: readonly Entry[],
  ): Candidates | undefined {
    const index = this.#sortedIndex(path, direction, all)
    if (!index.isRegular) return undefined
    const whole = { from: 0, to: index.entries.length }
    const decided = comparisonsOn(path, conditions)
    const span = spansOf(index, decided).reduce(intersection, whole)
    return {
      by: `sorted index on ${path}, for the order`,
      decided,
      count: span.to - span.from,
      entries: () => index.entries,
      span,
    }
  }

  add(entry: Entry): void {
    for (const index of this.#hashes.values()) index.add(entry)
    for (const index of this.#sorted.values()) index.add(entry)
  }

  remove(entry: Entry): void {
    for (const index of this.#hashes.values()) index.remove(entry)
    for (const index of this.#sorted.values()) index.remove(entry)
  }

  clear(): void {
    this.#hashes.clear()
    this.#sorted.clear()
  }

  #equal(condition: Condition, all: readonly Entry[]): Candidates[] {
    const { path, operator, operand } = condition
    const operands =
      operator === '$eq' ? [operand] : operator === '$in' ? (operand as readonly Json[]) : undefined
    if (operands === undefined || !operands.every(isScalar)) return []
    const index = keep(this.#hashes, path, () => new HashIndex(path, all))
    const buckets = [...new Set(operands)].map((scalar) => index.find(scalar))
    return [
      {
        by: `hash index on ${path}`,
        decided: [condition],
        count: buckets.reduce((sum, { length }) => sum + length, 0),
        entries: () => mergeOrdered(buckets),
      },
    ]
  }

  #compared(path: string, conditions: readonly Condition[], all: readonly Entry[]): Candidates {
    const index = this.#sortedIndex(path, 1, all)
    const compared = comparisonsOn(path, conditions)
    const spans = spansOf(index, compared)
    // Of several elements of an array, one may meet one comparison, and one another.
    const span = spans.reduce(index.isRegular ? intersection : shorter)
    return {
      by: `sorted index on ${path}`,
      decided: index.isRegular ? compared : [],
      count: span.to - span.from,
      entries: () => index.entriesIn(span),
    }
  }

  #sortedIndex(path: string, direction: 1 | -1, all: readonly Entry[]): SortedIndex {
    const key = `${direction} ${path}`
    return keep(this.#sorted, key, () => new SortedIndex(path, direction, all))
  }
}

/** The index of a path, made where there is none yet. */
function keep<Index>(indexes: Map<string, Index>, path: string, make: () => Index): Index {
  const known = indexes.get(path)
  if (known !== undefined) return known
  const [oldest] = indexes.keys()
  if (indexes.size >= MAX_INDEXES && oldest !== undefined) indexes.delete(oldest)
  const made = make()
  indexes.set(path, made)
  return made
}

/** A condition that a sorted index can narrow by. */
interface ComparisonOn extends Condition {
  readonly operator: Comparison
}

const isComparison = (condition: Condition): condition is ComparisonOn =>
  condition.operator !== '$eq' && condition.operator !== '$in' && isScalar(condition.operand)

const comparisonsOn = (path: string, conditions: readonly Condition[]): ComparisonOn[] =>
  conditions.filter(isComparison).filter((condition) => condition.path === path)

/** What each comparison on an index's path leaves of it. */
const spansOf = (index: SortedIndex, comparisons: readonly ComparisonOn[]): Span[] =>
  comparisons.map(({ operator, operand }) => index.span(operator, operand))

const fewest = (all: readonly Candidates[]): Candidates | undefined =>
  all.reduce<Candidates | undefined>(
    (best, each) => (best === undefined || each.count < best.count ? each : best),
    undefined,
  )

/** What lies in both spans: true only of an index where each entry has one value. */
const intersection = (a: Span, b: Span): Span => {
  const from = Math.max(a.from, b.from)
  return { from, to: Math.max(from, Math.min(a.to, b.to)) }
}

const shorter = (a: Span, b: Span): Span => (b.to - b.from < a.to - a.from ? b : a)
