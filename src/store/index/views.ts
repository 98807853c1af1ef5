import type { Scheduler } from '../../work/scheduler.js'
import type { Entry } from '../entry.js'
import type { VisibilityFilter } from '../visibility.js'
import { View } from './view.js'

/** The number of accounts whose views are kept. Another one's is made when it is needed. */
const MAX_VIEWS = 16

/** The views of a collection: that of all entries, and those of the accounts that do not see them all. */
export class Views {
  readonly all: View
  readonly #scheduler: Scheduler
  /** The view that was used last is the last one. */
  readonly #views = new Map<VisibilityFilter, View>()

  /** @param entries in natural order; an array that nothing else uses */
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

  /** Gives up the indexes that are being created. */
  cancelCreation(): void {
    for (const view of [this.all, ...this.#views.values()]) view.cancelCreation()
  }
}

const onlyIf = (isVisible: VisibilityFilter, entry: Entry | undefined): Entry | undefined =>
  entry !== undefined && isVisible(entry) ? entry : undefined
