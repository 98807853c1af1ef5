/**
 * A map by `_id`s. Copies share everything that has not changed since the first copy, because copying a
 * map of 1,000,000 entries takes a second.
 */
export class SharedMap<Value> {
  readonly #base: Map<string, Value>
  /** The changes since the base was shared. Undefined stands for a removed value. */
  readonly #changes: Map<string, Value | undefined>
  #isBaseShared: boolean

  /** @param changes undefined if nothing else uses the base */
  constructor(base = new Map<string, Value>(), changes?: ReadonlyMap<string, Value | undefined>) {
    this.#base = base
    this.#changes = new Map(changes)
    this.#isBaseShared = changes !== undefined
  }

  get(id: string): Value | undefined {
    if (this.#changes.size > 0 && this.#changes.has(id)) return this.#changes.get(id)
    return this.#base.get(id)
  }

  set(id: string, value: Value): void {
    if (this.#isBaseShared) this.#changes.set(id, value)
    else this.#base.set(id, value)
  }

  delete(id: string): void {
    if (!this.#isBaseShared) this.#base.delete(id)
    else if (this.#base.has(id)) this.#changes.set(id, undefined)
    else this.#changes.delete(id)
  }

  /** Returns a copy. The time is proportional to the number of changes. */
  copy(): SharedMap<Value> {
    this.#isBaseShared = true
    return new SharedMap<Value>(this.#base, this.#changes)
  }
}
