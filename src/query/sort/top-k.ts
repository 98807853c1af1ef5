/**
 * Retains the first `maxSize` of the values that are added, by a comparison that finds no two of them
 * equal. It is a binary heap whose root is the last of them.
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
    if (heap.length < this.#maxSize) {
      heap.push(value)
      this.#siftUp(heap.length - 1)
    } else if (heap[0] !== undefined && this.#compare(value, heap[0]) < 0) {
      heap[0] = value
      this.#siftDown()
    }
  }

  /** The number of values that are retained. */
  get size(): number {
    return this.#heap.length
  }

  /** Removes and returns the last of the values. To take all from a position on costs nothing before it. */
  removeLast(): Value | undefined {
    const [root] = this.#heap
    const moved = this.#heap.pop()
    if (moved !== undefined && this.#heap.length > 0) {
      this.#heap[0] = moved
      this.#siftDown()
    }
    return root
  }

  /** Swaps a child with its parent if the child comes later; returns whether it did. */
  #swapIfLater(child: number, parent: number): boolean {
    const heap = this.#heap
    const childValue = heap[child]
    const parentValue = heap[parent]
    if (childValue === undefined || parentValue === undefined) return false
    if (this.#compare(childValue, parentValue) <= 0) return false
    heap[child] = parentValue
    heap[parent] = childValue
    return true
  }

  #siftUp(from: number): void {
    for (let child = from; child > 0;) {
      const parent = (child - 1) >> 1
      if (!this.#swapIfLater(child, parent)) return
      child = parent
    }
  }

  #siftDown(): void {
    for (let parent = 0; ;) {
      const left = 2 * parent + 1
      const right = left + 1
      const leftValue = this.#heap[left]
      const rightValue = this.#heap[right]
      if (leftValue === undefined) return
      const isRightLater = rightValue !== undefined && this.#compare(rightValue, leftValue) > 0
      const later = isRightLater ? right : left
      if (!this.#swapIfLater(later, parent)) return
      parent = later
    }
  }
}
