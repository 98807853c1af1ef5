import type { Budget } from './budget.js'
import type { Fields } from './fields.js'
import type { Order } from './order.js'
import { BLOCK, prefetch } from './prefetch.js'
import { Natural, Sorted } from './results.js'
import type { Entry, Results } from './results.js'
import type { Selector } from './selector.js'

/** A part of a list, from one position up to another. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What is asked of a list of entries. */
export interface Evaluation<Held extends Entry> {
  readonly selector: Selector
  /** `undefined` is natural order. */
  readonly order: Order | undefined
  readonly skip: number
  readonly limit: number
  /** The part of the list that is looked at, where it is not all of it. */
  readonly span?: Span | undefined
  /** Whether an entry is there at all; asked of those that meet the query. */
  readonly accepts?: ((entry: Held) => boolean) | undefined
  /** The time that is left to the request. */
  readonly budget: Budget
  /** Has the list stay as it is from now on, if it can; else what is left of it is copied. */
  readonly hold?: (entries: readonly Held[]) => boolean
}

/** After so many milliseconds of work other requests get their turn. */
const SLICE = 10

/**
 * The page of the entries that meet a selector. In natural order it stops once the page is full;
 * with an order it holds the best `skip + limit`. Work that is done within 10 ms is answered at
 * once; more goes on in slices, on a list that no longer changes, so that other requests are served
 * and no write is seen in part. Throws BudgetExceeded when the budget is used up, within a regular
 * expression too.
 */
export function evaluate<Held extends Entry>(
  entries: readonly Held[],
  evaluation: Evaluation<Held>,
): Held[] | Promise<Held[]> {
  const search = new Search(entries, evaluation)
  if (search.work()) return search.page()
  search.detach()
  return finish(search)
}

async function finish<Held extends Entry>(search: Search<Held>): Promise<Held[]> {
  do {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  } while (!search.work())
  return search.page()
}

/**
 * Applies fields to the entries of one page. `$elemMatch` may run patterns, which have what the
 * evaluation has left of the budget: throws BudgetExceeded when it is used up.
 * @param apply what is made of one entry with the fields
 */
export function evaluateFields<Held, Result>(
  page: readonly Held[],
  { usesPattern }: Fields,
  apply: (entry: Held) => Result,
  budget: Budget,
): Result[] {
  const applyAll = (): Result[] => page.map(apply)
  return usesPattern ? budget.spend(applyAll, true) : applyAll()
}

/** One evaluation on its way through the entries. */
class Search<Held extends Entry> {
  readonly #evaluation: Evaluation<Held>
  readonly #results: Results<Held>
  #entries: readonly Held[]
  #next: number
  #end: number
  #resumed = false

  constructor(entries: readonly Held[], evaluation: Evaluation<Held>) {
    const { order, skip, limit } = evaluation
    const isSorted = order !== undefined && order.isBackward !== true
    this.#entries = order?.isBackward === true ? entries.toReversed() : entries
    this.#next = evaluation.span?.from ?? 0
    this.#end = evaluation.span?.to ?? entries.length
    this.#evaluation = evaluation
    this.#results = isSorted ? new Sorted(order, skip, limit) : new Natural(skip, limit)
  }

  /** Works for one slice; whether all is done. Only the time of its own work counts. */
  work(): boolean {
    const { budget, selector } = this.#evaluation
    const slice = (): boolean => this.#advance(performance.now() + Math.min(SLICE, budget.left))
    // What does not end in the first slice may hold items that alone take long.
    const done = budget.spend(slice, selector.usesPattern || this.#resumed)
    this.#resumed = true
    return done
  }

  page(): Held[] {
    return this.#results.page()
  }

  /** Goes on with entries that no write changes. */
  detach(): void {
    if (this.#evaluation.hold?.(this.#entries) === true) return
    this.#entries = this.#entries.slice(this.#next, this.#end)
    this.#end -= this.#next
    this.#next = 0
  }

  #advance(until: number): boolean {
    const { accepts } = this.#evaluation
    const { matches, firstField } = this.#evaluation.selector
    const entries = this.#entries
    const end = this.#end
    const results = this.#results
    let at = this.#next
    while (at < end) {
      const to = Math.min(at + BLOCK, end)
      if (firstField !== undefined) prefetch(entries, { from: at, to }, firstField)
      for (; at < to; at += 1) {
        const entry = entries[at] as Held
        if (matches(entry.item) && accepts?.(entry) !== false && results.add(entry)) return true
      }
      // A look at the clock costs as much as a simple condition.
      if (performance.now() >= until) break
    }
    this.#next = at
    return at === end
  }
}
