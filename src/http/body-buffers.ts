/** The size of a buffer, in bytes. A list of 50 items has 72,000 bytes. */
export const BUFFER_BYTES = 512 * 1024

/** The largest number of buffers in use. Each client that does not read its response holds one. */
const MAX_USED = 256

/** The number of free buffers that are kept. */
const MAX_FREE = 16

/**
 * A pool of buffers in which bodies are joined. A new buffer for each list of 50 items took 54 µs, a
 * reused buffer 35 µs; the bare response takes 28 µs.
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

  /** Takes a buffer back after it is sent. */
  giveBack(buffer: Buffer): void {
    this.#usedCount -= 1
    if (this.#free.length < MAX_FREE) this.#free.push(buffer)
  }
}
