import { Doorkeeper } from './doorkeeper.js'
import { Recent } from './recent.js'

/**
 * What is worth keeping for when it is asked for again, by its text. Kept is only what comes a second
 * time while there would still have been room for it: what comes back later than that would push out
 * others, and be pushed out before it is of use; and most of what comes once never comes again.
 */
export class Cache<Value> {
  readonly #kept: Recent<Value>
  readonly #sizeOf: (value: Value, key: string) => number
  readonly #capacity: number
  readonly #seen = new Doorkeeper()
  /** The sizes of all that came since nothing was remembered. */
  #seenSize = 0

  /**
   * @param capacity what the sizes of all values are together at most
   * @param sizeOf a value's size, the same each time; one above half of the capacity is not kept
   */
  constructor(capacity: number, sizeOf: (value: Value, key: string) => number) {
    this.#capacity = capacity
    this.#sizeOf = sizeOf
    this.#kept = new Recent(capacity, sizeOf)
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)
  }

  /**
   * Takes note of a value, and keeps it from the second time on.
   * @param toKept what is kept of it, where it is
   */
  set(key: string, value: Value, toKept = (given: Value): Value => given): void {
    this.#seenSize += this.#sizeOf(value, key)
    if (this.#seenSize > this.#capacity) this.#forget()
    if (this.#seen.add(key)) this.#kept.set(key, toKept(value))
  }

  /** The value that is kept, else what `make` gives. What `make` throws is not kept. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make()
    this.set(key, made)
    return made
  }

  #forget(): void {
    this.#seen.clear()
    this.#seenSize = 0
  }
}
