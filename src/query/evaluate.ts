import { TimeoutError, runWithTimeout } from '../work/run-with-timeout.js'
import type { Work } from '../work/work.js'
import { retryTimeouts, runPattern } from './run-pattern.js'
import { NaturalPage, SortedPage } from './page.js'
import type { HasItem, PageCollector } from './page.js'
import type { Selector } from './selector/compile-selector.js'
import type { SortSpec } from './sort/sort-spec.js'

/** A range of positions in an array of entries: from `from` up to, but not including, `to`. */
export interface IndexRange {
  readonly from: number
  readonly to: number
}

/** The options of an evaluation. */
export interface EvaluateOptions<Entry extends HasItem> {
  readonly selector: Selector
  /** Undefined for natural order. */
  readonly sort: SortSpec | undefined
  readonly skip: number
  readonly limit: number
  /** The entries to evaluate (default: all). */
  readonly range?: IndexRange | undefined
  /** A further filter for the entries that match the selector (default: all are included). */
  readonly isIncluded?: ((entry: Entry) => boolean) | undefined
  /**
   * Keeps writes from changing the array of entries. If it returns false, or is missing, an
   * evaluation of more than one step copies the rest of the array.
   */
  readonly retain?: (entries: readonly Entry[]) => boolean
}

/** The number of entries in a step of work. It adapts to how long they take. */
const BLOCK_SIZE = { first: 8, max: 64 }

/** The duration of a step above which the next one has fewer entries, in ms. */
const LONG_STEP_MS = 2

/**
 * The duration of a step that runs regular expressions which can take long, in ms: after the first
 * time a step ends between two items, after the second one within an item.
 */
const PATTERN_STEP_MS = { end: 5, abort: 10 }

/** The duration of a step that evaluates expressions, which can take long on one item, in ms. */
const EXPRESSION_STEP_MS = 2

/**
 * Returns the page of the entries that match the selector. In natural order it stops when the page
 * is full. Writes between two steps do not affect it.
 * @throws ProjectionInvalid if the sort meets parallel arrays in an item
 * @throws PatternTooCostly if matching one item takes more than 20 ms
 * @throws QueryInvalid if an `$expr` can't be evaluated for an item, and BoundExceeded if it takes
 * too many steps
 */
export function* evaluate<Entry extends HasItem>(
  entries: readonly Entry[],
  options: EvaluateOptions<Entry>,
): Work<Entry[]> {
  const { sort, skip, limit, range, selector } = options
  const collector: PageCollector<Entry> =
    sort === undefined || sort.isReverseNatural === true
      ? new NaturalPage(skip, limit)
      : new SortedPage(sort, skip, limit)
  const scan = new Scan(entries, options, collector)
  const end = range?.to ?? entries.length
  let at = range?.from ?? 0
  let size = BLOCK_SIZE.first
  while (at < end && !scan.isPageFull) {
    const start = performance.now()
    at = selector.needsTimeout
      ? yield* scan.runPatterns(at, end)
      : selector.hasExpressions
        ? scan.run(at, end, start + EXPRESSION_STEP_MS)
        : scan.run(at, Math.min(at + size, end))
    scan.detach()
    const isLong = performance.now() - start > LONG_STEP_MS
    size = isLong ? Math.max(1, size >> 2) : Math.min(BLOCK_SIZE.max, size * 2)
    yield 'scanning items'
  }
  return collector.page()
}

class Scan<Entry extends HasItem> {
  isPageFull = false
  #entries: readonly Entry[]
  readonly #retain: EvaluateOptions<Entry>['retain']
  readonly #matches: Selector['matches']
  readonly #isIncluded: ((entry: Entry) => boolean) | undefined
  /** Whether an entry is matched only if it is included, as matching may throw. */
  readonly #filtersFirst: boolean
  readonly #collector: PageCollector<Entry>
  /** The sum of the position of an entry and that in reverse natural order, if it is that order. */
  readonly #lastPosition: number | undefined
  #isDetached = false
  /** The position of the entry that is matched now: all before it are evaluated. */
  #at = 0

  constructor(
    entries: readonly Entry[],
    { selector, isIncluded, retain, sort }: EvaluateOptions<Entry>,
    collector: PageCollector<Entry>,
  ) {
    this.#entries = entries
    this.#retain = retain
    this.#matches = selector.matches
    this.#isIncluded = isIncluded
    this.#filtersFirst = selector.hasExpressions
    this.#collector = collector
    this.#lastPosition = sort?.isReverseNatural === true ? entries.length - 1 : undefined
  }

  /** Makes sure that writes do not change the entries. */
  detach(): void {
    if (this.#isDetached) return
    this.#isDetached = true
    if (this.isPageFull || this.#retain?.(this.#entries) === true) return
    this.#entries = this.#entries.slice()
  }

  /** Evaluates entries until the page is full; returns the position of the next one. */
  run(from: number, to: number, deadline = Infinity): number {
    const matches = this.#matches
    const isIncluded = this.#isIncluded
    this.#at = from
    for (let at = from; at < to; at += 1) {
      const position = this.#lastPosition === undefined ? at : this.#lastPosition - at
      const entry = this.#entries[position] as Entry
      const isMatch = this.#filtersFirst
        ? isIncluded?.(entry) !== false && matches(entry.item)
        : matches(entry.item) && isIncluded?.(entry) !== false
      if (isMatch && this.#collector.add(entry)) {
        this.isPageFull = true
        return to
      }
      this.#at = at + 1
      if (deadline !== Infinity && performance.now() >= deadline) return at + 1
    }
    return to
  }

  /** Does the same for some ms, and aborts a match that takes too long. */
  *runPatterns(from: number, to: number): Work<number> {
    const deadline = performance.now() + PATTERN_STEP_MS.end
    try {
      return runWithTimeout(() => this.run(from, to, deadline), PATTERN_STEP_MS.abort)
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
    }
    // The entries before this one are evaluated; this one alone may have taken the time.
    const at = this.#at
    if (at >= to) return to
    this.detach()
    yield 'matching patterns'
    return yield* retryTimeouts(() => runPattern(() => this.run(at, at + 1)))
  }
}
