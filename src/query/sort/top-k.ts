/**
 * Retains the first `maxSize` of the added values, by a comparison for which no two values are equal.
 * It is a binary heap whose root is the last retained value.
 */
export class TopK<Value> {
  readonly #heap: Value[] = []
  readonly #maxSize: number
  readonly #compare: (a: Value, b: Value) => number

  constructor(maxSize: number, compare: (a: Value, b: Value) => number) {
    this.#maxSize = maxSize
    this.#compare = compare
  }

  /** Adds a value. If it is not among the first `maxSize`, this takes constant time. */
  add(value: Value): void {
    const heap = this.#heap
    if (heap.length < this.#maxSize) this.#siftUp(value)
    else if (heap.length > 0 && this.#compare(value, heap[0] as Value) < 0) this.#siftDown(value)
  }

  /** The number of values that are retained. */
  get size(): number {
    return this.#heap.length
  }

  /**
   * Removes and returns the last of the values. Taking all values from a position on takes no time for
   * the values before it.
   */
  removeLast(): Value | undefined {
    const [root] = this.#heap
    const moved = this.#heap.pop()
    if (moved !== undefined && this.#heap.length > 0) this.#siftDown(moved)
    return root
  }

  /** Adds a value at the end, and moves the parents that come before it down. */
  #siftUp(value: Value): void {
    const heap = this.#heap
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.#compare(value, heap[parent] as Value) <= 0) break
      heap[index] = heap[parent] as Value
      index = parent
    }
    heap[index] = value
  }

  /** Replaces the root by a value, and moves the children that come after it up. */
  #siftDown(value: Value): void {
    const heap = this.#heap
    let index = 0
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const [left, right] = [heap[child] as Value, heap[child + 1]]
      const isRightLater = right !== undefined && this.#compare(right, left) > 0
      const later = isRightLater ? right : left
      if (this.#compare(value, later) >= 0) break
      heap[index] = later
      index = isRightLater ? child + 1 : child
    }
    heap[index] = value
  }
}
