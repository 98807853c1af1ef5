interface HeapNode<Value> {
  readonly value: Value
  /** The number of values added before this one. */
  readonly index: number
}

/**
 * Retains the first `size` of the values that are added, by a comparison. It is a binary heap whose
 * root is the last of them. Equal values are in the order in which they were added, so that a sort
 * is stable.
 */
export class TopK<Value> {
  readonly #heap: HeapNode<Value>[] = []
  readonly #size: number
  readonly #compare: (a: Value, b: Value) => number
  #addedCount = 0

  constructor(size: number, compare: (a: Value, b: Value) => number) {
    this.#size = size
    this.#compare = compare
  }

  /** Adds a value. If it is not among the first `size`, this takes constant time. */
  add(value: Value): void {
    const node = { value, index: this.#addedCount }
    this.#addedCount += 1
    const heap = this.#heap
    if (heap.length < this.#size) {
      heap.push(node)
      this.#siftUp(heap.length - 1)
    } else if (heap[0] !== undefined && this.#compare(value, heap[0].value) < 0) {
      heap[0] = node
      this.#siftDown()
    }
  }

  /**
   * Removes and returns the values from a position on, in order. Earlier values are not sorted, so
   * that the cost does not depend on the position.
   */
  takeFrom(position: number): Value[] {
    const taken: Value[] = []
    for (let root; this.#heap.length > position && (root = this.#removeRoot());)
      taken.push(root.value)
    return taken.toReversed()
  }

  #removeRoot(): HeapNode<Value> | undefined {
    const [root] = this.#heap
    const moved = this.#heap.pop()
    if (moved !== undefined && this.#heap.length > 0) {
      this.#heap[0] = moved
      this.#siftDown()
    }
    return root
  }

  #compareNodes(a: HeapNode<Value>, b: HeapNode<Value>): number {
    return this.#compare(a.value, b.value) || a.index - b.index
  }

  /** Swaps a child with its parent if the child comes later; returns whether it did. */
  #swapIfLater(child: number, parent: number): boolean {
    const heap = this.#heap
    const [childNode, parentNode] = [heap[child], heap[parent]]
    if (childNode === undefined || parentNode === undefined) return false
    if (this.#compareNodes(childNode, parentNode) <= 0) return false
    heap[child] = parentNode
    heap[parent] = childNode
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
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      const [leftNode, rightNode] = [this.#heap[left], this.#heap[right]]
      if (leftNode === undefined) return
      const isRightLater = rightNode !== undefined && this.#compareNodes(rightNode, leftNode) > 0
      const later = isRightLater ? right : left
      if (!this.#swapIfLater(later, parent)) return
      parent = later
    }
  }
}
