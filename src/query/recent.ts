/**
 * What was used last, by its text, in two generations: what is set, and what is found in the old
 * one, goes into the young one. Once that has half of the capacity it becomes the old one, and what was
 * in the old one and not asked for since is gone. So a read moves nothing
 * (https://github.com/dominictarr/hashlru).
 */
export class Recent<Value> {
  readonly #half: number
  readonly #sizeOf: (value: Value, key: string) => number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  /** The sum of the sizes in the young generation. */
  #size = 0

  /**
   * @param capacity what the sizes of all values are together at most
   * @param sizeOf a value's size, the same each time; one above half of the capacity is not kept
   */
  constructor(capacity: number, sizeOf: (value: Value, key: string) => number) {
    this.#half = capacity / 2
    this.#sizeOf = sizeOf
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    this.delete(key)
    const size = this.#sizeOf(value, key)
    if (size > this.#half) return
    if (this.#size + size > this.#half) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
    }
    this.#young.set(key, value)
    this.#size += size
  }

  delete(key: string): void {
    const young = this.#young.get(key)
    if (young !== undefined) this.#size -= this.#sizeOf(young, key)
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
