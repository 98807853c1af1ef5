import type { Entry } from './entry.js'

/**
 * The entries of a collection by the `_id`s of their items. A copy shares all entries that have not
 * changed since the first copy, as to copy a map of 1,000,000 entries takes a second.
 */
export class EntryMap {
  readonly #base: Map<string, Entry>
  /** What has changed since the base was shared. Undefined stands for an entry that was removed. */
  readonly #changes: Map<string, Entry | undefined>
  #isBaseShared: boolean

  /** @param changes undefined if nothing else has the base */
  constructor(base = new Map<string, Entry>(), changes?: ReadonlyMap<string, Entry | undefined>) {
    this.#base = base
    this.#changes = new Map(changes)
    this.#isBaseShared = changes !== undefined
  }

  get(id: string): Entry | undefined {
    if (this.#changes.size > 0 && this.#changes.has(id)) return this.#changes.get(id)
    return this.#base.get(id)
  }

  set(id: string, entry: Entry): void {
    if (this.#isBaseShared) this.#changes.set(id, entry)
    else this.#base.set(id, entry)
  }

  delete(id: string): void {
    if (!this.#isBaseShared) this.#base.delete(id)
    else if (this.#base.has(id)) this.#changes.set(id, undefined)
    else this.#changes.delete(id)
  }

  /** Returns a copy. It takes as long as there are changes. */
  copy(): EntryMap {
    this.#isBaseShared = true
    return new EntryMap(this.#base, this.#changes)
  }
}
