/** Longer texts are rare, and what is compiled of them is large: they are not kept. */
const MAX_TEXT = 2048

/**
 * What was compiled last, by its text: a map that holds at most `capacity` entries and drops the
 * one that was used longest ago. Texts of more than 2,048 characters are not kept.
 */
export class Cache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The value of a text; `make` gives it the first time. What `make` throws is not kept. */
  get(text: string, make: (text: string) => Value): Value {
    if (text.length > MAX_TEXT) return make(text)
    const known = this.#entries.get(text)
    const value = known ?? make(text)
    if (known !== undefined) this.#entries.delete(text)
    this.#entries.set(text, value)
    if (this.#entries.size > this.#capacity) this.#dropOldest()
    return value
  }

  #dropOldest(): void {
    // A Map iterates in the order of insertion, and a use inserts anew.
    for (const text of this.#entries.keys()) {
      this.#entries.delete(text)
      return
    }
  }
}
