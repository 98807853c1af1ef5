import type { Scheduler } from '../../work/scheduler.js'
import type { Entry } from '../entry.js'
import type { VisibilityFilter } from '../visibility.js'
import { View } from './view.js'

/**
 * The largest number of accounts whose views are kept. The view of another account is created when it
 * is needed.
 */
const MAX_VIEWS = 16

/** The views of a collection: a view of all entries, and a view for each account that does not see all entries. */
export class Views {
  readonly all: View
  readonly #scheduler: Scheduler
  /** The views of accounts. The most recently used view is the last. */
  readonly #views = new Map<VisibilityFilter, View>()

  /** @param entries the entries in natural order, in an array that nothing else uses */
  constructor(entries: Entry[], scheduler: Scheduler) {
    this.all = new View(entries, scheduler)
    this.#scheduler = scheduler
  }

  /** Returns the view of the entries that pass a filter. */
  find(isVisible: VisibilityFilter): View {
    const view =
      this.#views.get(isVisible) ?? new View(this.all.entries.filter(isVisible), this.#scheduler)
    this.#views.delete(isVisible)
    this.#views.set(isVisible, view)
    const [oldest] = this.#views
    if (this.#views.size > MAX_VIEWS && oldest !== undefined) {
      oldest[1].cancelCreation()
      this.#views.delete(oldest[0])
    }
    return view
  }

  /** Replaces an entry by another one with the same ordinal, inserts one, or removes one. */
  write(former: Entry | undefined, entry: Entry | undefined): void {
    this.all.write(former, entry)
    for (const [isVisible, view] of this.#views)
      view.write(onlyIf(isVisible, former), onlyIf(isVisible, entry))
  }

  /** Cancels the creation of indexes. */
  cancelCreation(): void {
    for (const view of [this.all, ...this.#views.values()]) view.cancelCreation()
  }
}

const onlyIf = (isVisible: VisibilityFilter, entry: Entry | undefined): Entry | undefined =>
  entry !== undefined && isVisible(entry) ? entry : undefined
