import { readHeap } from './heap.js'

/** The share of the heap that all work in progress may need together, beside what the server holds. */
const HEAP_SHARE = 1 / 8

/**
 * The memory that the work of one server may need at the same time. Work that needs much waits until
 * other work is complete: 500 sorts of 100,000 items at once would need more than the whole heap,
 * and Node ends a process whose heap is full.
 */
export class MemoryShares {
  readonly #total: number
  #free: number
  /** The owners that wait, in the order in which they get their shares. */
  readonly #waiting = new Set<object>()

  /** @param total in bytes (default: an eighth of the heap) */
  constructor(total = readHeap().limit * HEAP_SHARE) {
    this.#total = total
    this.#free = total
  }

  /**
   * Takes a share, if nobody else waits for one. More bytes than there are stand for all of them.
   * @returns the bytes to give back; undefined if the owner has to ask another time
   */
  take(owner: object, bytes: number): number | undefined {
    const share = Math.min(bytes, this.#total)
    const [first = owner] = this.#waiting
    if (first !== owner || share > this.#free) {
      this.#waiting.add(owner)
      return undefined
    }
    this.#waiting.delete(owner)
    this.#free -= share
    return share
  }

  /** Gives bytes back. The owner waits no more. */
  giveBack(owner: object, bytes: number): void {
    this.#waiting.delete(owner)
    this.#free += bytes
  }
}
