import type { Budget } from './budget.js'
import { NaturalPage, SortedPage } from './page.js'
import type { HasItem, PageCollector } from './page.js'
import type { CompiledFields } from './projection/compile-fields.js'
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
  readonly budget: Budget
  /**
   * Asks the owner of the array not to change it any more. If it returns false, or is missing, an
   * evaluation that lasts copies the rest of the array.
   */
  readonly retain?: (entries: readonly Entry[]) => boolean
}

/** The duration of a slice of work, in ms. Other requests are served between two slices. */
const SLICE_MS = 10

/** The number of entries between two reads of the clock. A read costs as much as a condition. */
const BLOCK_SIZE = 64

/**
 * Returns the page of the entries that match the selector. In natural order it stops when the page
 * is full. An evaluation of less than 10 ms returns its page synchronously. A longer one returns a
 * promise and continues in slices, so that other requests are served in between; writes do not
 * affect it.
 * @throws BudgetExceeded if the budget is used up, even within one regular expression
 * @throws ProjectionInvalid if the sort meets parallel arrays in an item
 */
export function evaluate<Entry extends HasItem>(
  entries: readonly Entry[],
  options: EvaluateOptions<Entry>,
): Entry[] | Promise<Entry[]> {
  const scan = new Scan(entries, options)
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
 * Applies `fields` to each entry of a page. Regular expressions in an `$elemMatch` of `fields` are
 * subject to the remaining budget.
 * @param apply applies the fields to one entry
 * @throws BudgetExceeded if the budget is used up
 */
export function applyFields<Entry, Result>(
  page: readonly Entry[],
  { needsTimeout }: CompiledFields,
  apply: (entry: Entry) => Result,
  budget: Budget,
): Result[] {
  const applyAll = (): Result[] => page.map(apply)
  return needsTimeout ? budget.spend(applyAll, true) : applyAll()
}

/** The state of one evaluation between its slices. */
class Scan<Entry extends HasItem> {
  readonly #options: EvaluateOptions<Entry>
  readonly #collector: PageCollector<Entry>
  #entries: readonly Entry[]
  #next: number
  #end: number
  #isResumed = false

  constructor(entries: readonly Entry[], options: EvaluateOptions<Entry>) {
    const { sort, skip, limit, range } = options
    const isReversed = sort?.isReverseNatural === true
    this.#entries = isReversed ? entries.toReversed() : entries
    this.#next = range?.from ?? 0
    this.#end = range?.to ?? entries.length
    this.#options = options
    this.#collector =
      sort === undefined || isReversed
        ? new NaturalPage(skip, limit)
        : new SortedPage(sort, skip, limit)
  }

  /** Runs one slice; returns whether the page is complete. Time between slices is not spent. */
  runSlice(): boolean {
    const { budget, selector } = this.#options
    const slice = (): boolean =>
      this.#advance(performance.now() + Math.min(SLICE_MS, budget.remaining))
    // If the first slice was not enough, matching a single item may take long.
    const isComplete = budget.spend(slice, selector.needsTimeout || this.#isResumed)
    this.#isResumed = true
    return isComplete
  }

  page(): Entry[] {
    return this.#collector.page()
  }

  /** Makes sure that writes do not change the entries. */
  detach(): void {
    if (this.#options.retain?.(this.#entries) === true) return
    this.#entries = this.#entries.slice(this.#next, this.#end)
    this.#end -= this.#next
    this.#next = 0
  }

  /** Tests entries until the deadline, in ms of `performance.now()`; returns as `runSlice` does. */
  #advance(deadline: number): boolean {
    const { isIncluded } = this.#options
    const { matches } = this.#options.selector
    const entries = this.#entries
    const end = this.#end
    const collector = this.#collector
    let index = this.#next
    while (index < end) {
      const blockEnd = Math.min(index + BLOCK_SIZE, end)
      for (; index < blockEnd; index += 1) {
        const entry = entries[index] as Entry
        if (matches(entry.item) && isIncluded?.(entry) !== false && collector.add(entry))
          return true
      }
      if (performance.now() >= deadline) break
    }
    this.#next = index
    return index === end
  }
}
