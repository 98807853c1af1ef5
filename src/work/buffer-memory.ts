/** The bytes that buffers may have together. They are outside of V8's heap, which has its own bound. */
const MAX_BYTES = 1024 * 1024 * 1024

/**
 * The memory for the buffers that a server holds: files, and bodies in the journals. Its sandboxes
 * share it, as a thousand times the bound of each would be more than a computer has.
 */
export class BufferMemory {
  #free: number

  constructor(bytes = MAX_BYTES) {
    this.#free = bytes
  }

  /** Takes bytes, fewer than 0 to give some back. Returns whether there are as many. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false
    this.#free -= bytes
    return true
  }
}

/** The part of the memory that one sandbox has taken. */
export class BufferMemoryPart {
  readonly #memory: BufferMemory
  #used = 0
  #isEnded = false

  constructor(memory: BufferMemory) {
    this.#memory = memory
  }

  /** Takes bytes, fewer than 0 to give some back. Returns whether there are as many. */
  take(bytes: number): boolean {
    if (this.#isEnded) return true
    if (!this.#memory.take(bytes)) return false
    this.#used += bytes
    return true
  }

  /** Gives everything back. What requests in progress take afterwards does not count. */
  end(): void {
    this.take(-this.#used)
    this.#isEnded = true
  }
}
