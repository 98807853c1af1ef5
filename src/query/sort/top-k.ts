/**
 * The first `size` of all that is added, in order: a binary heap whose root is the last of them.
 * What is added earlier comes first among equals, so that a sort is stable.
 */
export class TopK<Value> {
  readonly #heap: { readonly value: Value; readonly at: number }[] = []
  readonly #size: number
  readonly #compare: (a: Value, b: Value) => number
  #added = 0

  constructor(size: number, compare: (a: Value, b: Value) => number) {
    this.#size = size
    this.#compare = compare
  }

  /** Considers one more value, in constant time where it is not among the first. */
  add(value: Value): void {
    const entry = { value, at: this.#added }
    this.#added += 1
    const heap = this.#heap
    if (heap.length < this.#size) {
      heap.push(entry)
      this.#rise(heap.length - 1)
    } else if (heap[0] !== undefined && this.#compare(value, heap[0].value) < 0) {
      heap[0] = entry
      this.#sink()
    }
  }

  /**
   * Takes out the values from a position on, in order. Those before it are not sorted, so that a
   * page far down costs no more than one at the top.
   */
  takeFrom(position: number): Value[] {
    const taken: Value[] = []
    for (let last; this.#heap.length > position && (last = this.#takeLast());)
      taken.push(last.value)
    return taken.toReversed()
  }

  #takeLast(): { readonly value: Value } | undefined {
    const [last] = this.#heap
    const moved = this.#heap.pop()
    if (moved !== undefined && this.#heap.length > 0) {
      this.#heap[0] = moved
      this.#sink()
    }
    return last
  }

  #order(a: { value: Value; at: number }, b: { value: Value; at: number }): number {
    return this.#compare(a.value, b.value) || a.at - b.at
  }

  #swapIfLater(child: number, parent: number): boolean {
    const heap = this.#heap
    const [lower, upper] = [heap[child], heap[parent]]
    if (lower === undefined || upper === undefined || this.#order(lower, upper) <= 0) return false
    heap[child] = upper
    heap[parent] = lower
    return true
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfLater(at, parent)) return
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const [first, second] = [this.#heap[left], this.#heap[right]]
      if (first === undefined) return
      const later = second !== undefined && this.#order(second, first) > 0 ? right : left
      if (!this.#swapIfLater(later, at)) return
      at = later
    }
  }
}
