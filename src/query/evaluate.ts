import type { Budget } from './budget.js'
import { NaturalPage, SortedPage } from './page.js'
import type { HasItem, PageCollector } from './page.js'
import type { Fields } from './projection/compile-fields.js'
import type { Selector } from './selector/compile-selector.js'
import type { SortSpec } from './sort/sort-spec.js'

/** A range of positions in a list of entries, without its end. */
export interface IndexRange {
  readonly from: number
  readonly to: number
}

/** The options of an evaluation. */
export interface Evaluation<Entry extends HasItem> {
  readonly selector: Selector
  /** Undefined for natural order. */
  readonly sort: SortSpec | undefined
  readonly skip: number
  readonly limit: number
  /** The part of the list to evaluate (default: all of it). */
  readonly range?: IndexRange | undefined
  /** A further filter, applied to the entries that match the selector. */
  readonly isIncluded?: ((entry: Entry) => boolean) | undefined
  readonly budget: Budget
  /**
   * Asks the owner of the list not to change it any more. Returns false if it may still change; then
   * the rest of it is copied.
   */
  readonly retain?: (entries: readonly Entry[]) => boolean
}

/** The number of milliseconds of work after which other requests get their turn. */
const SLICE_MS = 10

/** The number of entries between two looks at the clock, each of which costs as much as a condition. */
const BLOCK_SIZE = 64

/**
 * Returns the page of the entries that match the selector. In natural order it stops when the page
 * is full; a sort keeps only the best `skip + limit` entries. An evaluation of less than 10 ms
 * returns its page at once. A longer one returns a promise and goes on in slices, on a list that no
 * write changes, so that other requests are served in between.
 * @throws BudgetExceeded when the budget is used up, also within one regular expression
 */
export function evaluate<Entry extends HasItem>(
  entries: readonly Entry[],
  evaluation: Evaluation<Entry>,
): Entry[] | Promise<Entry[]> {
  const scan = new Scan(entries, evaluation)
  if (scan.runSlice()) return scan.page()
  scan.detach()
  return finish(scan)
}

async function finish<Entry extends HasItem>(scan: Scan<Entry>): Promise<Entry[]> {
  do {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  } while (!scan.runSlice())
  return scan.page()
}

/**
 * Applies `fields` to each entry of a page. An `$elemMatch` in it may run regular expressions, which
 * are under the rest of the evaluation's budget.
 * @param apply applies the fields to one entry
 * @throws BudgetExceeded
 */
export function evaluateFields<Entry, Result>(
  page: readonly Entry[],
  { needsTimeout }: Fields,
  apply: (entry: Entry) => Result,
  budget: Budget,
): Result[] {
  const applyAll = (): Result[] => page.map(apply)
  return needsTimeout ? budget.spend(applyAll, true) : applyAll()
}

/** One evaluation on its way through a list of entries. */
class Scan<Entry extends HasItem> {
  readonly #evaluation: Evaluation<Entry>
  readonly #collector: PageCollector<Entry>
  #entries: readonly Entry[]
  #next: number
  #end: number
  #isResumed = false

  constructor(entries: readonly Entry[], evaluation: Evaluation<Entry>) {
    const { sort, skip, limit, range } = evaluation
    const isReversed = sort?.isReverseNatural === true
    this.#entries = isReversed ? entries.toReversed() : entries
    this.#next = range?.from ?? 0
    this.#end = range?.to ?? entries.length
    this.#evaluation = evaluation
    this.#collector =
      sort === undefined || isReversed
        ? new NaturalPage(skip, limit)
        : new SortedPage(sort, skip, limit)
  }

  /** Runs one slice; returns whether the page is complete. Only its own time is spent. */
  runSlice(): boolean {
    const { budget, selector } = this.#evaluation
    const slice = (): boolean => this.#advance(performance.now() + Math.min(SLICE_MS, budget.left))
    // After the first slice, a single item may be what takes long.
    const isComplete = budget.spend(slice, selector.needsTimeout || this.#isResumed)
    this.#isResumed = true
    return isComplete
  }

  page(): Entry[] {
    return this.#collector.page()
  }

  /** Goes on with entries that no write changes. */
  detach(): void {
    if (this.#evaluation.retain?.(this.#entries) === true) return
    this.#entries = this.#entries.slice(this.#next, this.#end)
    this.#end -= this.#next
    this.#next = 0
  }

  #advance(until: number): boolean {
    const { isIncluded } = this.#evaluation
    const { matches } = this.#evaluation.selector
    const entries = this.#entries
    const end = this.#end
    const collector = this.#collector
    let at = this.#next
    while (at < end) {
      const blockEnd = Math.min(at + BLOCK_SIZE, end)
      for (; at < blockEnd; at += 1) {
        const entry = entries[at] as Entry
        if (matches(entry.item) && isIncluded?.(entry) !== false && collector.add(entry))
          return true
      }
      if (performance.now() >= until) break
    }
    this.#next = at
    return at === end
  }
}
