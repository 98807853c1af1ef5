import { Recent } from './recent.js'

/**
 * What is worth keeping for when it is asked for again, by its text. Kept is only what comes a second
 * time while there would still have been room for it: what comes back later than that would push out
 * others, and be pushed out before it is of use; and most of what comes once never comes again.
 */
export class Cache<Value> {
  readonly #kept: Recent<Value>
  /** The sizes of what came, whether it is kept or not. */
  readonly #seen: Recent<number>
  readonly #sizeOf: (value: Value, key: string) => number

  /**
   * @param capacity what the sizes of all values are together at most
   * @param sizeOf a value's size, the same each time; one above half of the capacity is not kept
   */
  constructor(capacity: number, sizeOf: (value: Value, key: string) => number) {
    this.#kept = new Recent(capacity, sizeOf)
    this.#seen = new Recent(capacity, (size) => size)
    this.#sizeOf = sizeOf
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)
  }

  /** Takes note of a value, and keeps it from the second time on. */
  set(key: string, value: Value): void {
    if (this.#seen.get(key) === undefined) this.#seen.set(key, this.#sizeOf(value, key))
    else this.#kept.set(key, value)
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }

  /** The value that is kept, else what `make` gives. What `make` throws is not kept. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make()
    this.set(key, made)
    return made
  }
}
