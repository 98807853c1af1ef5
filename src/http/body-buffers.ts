/** The size of a buffer, in bytes. A list of 50 items has 72,000. */
export const BUFFER_BYTES = 512 * 1024

/** The number of buffers that may be in use, of which each client that does not read holds one. */
const MAX_USED = 256

/** The number of free buffers that are kept. */
const MAX_FREE = 16

/**
 * The buffers that bodies are joined in. They are used again: the memory for a new one comes from the
 * system, which took half as long as all else of a list of 50 (54 µs instead of 35, where the bare
 * response takes 28).
 */
export class BodyBuffers {
  readonly #free: Buffer[] = []
  #usedCount = 0

  /** Returns a buffer of `BUFFER_BYTES` with any content; undefined if too many are in use. */
  take(): Buffer | undefined {
    if (this.#usedCount === MAX_USED) return undefined
    this.#usedCount += 1
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
  }

  /** Takes a buffer back, which is sent. */
  giveBack(buffer: Buffer): void {
    this.#usedCount -= 1
    if (this.#free.length < MAX_FREE) this.#free.push(buffer)
  }
}
