/** The largest size of pooled buffers, in bytes. */
export const MAX_SIZE = 8 * 1024 * 1024

/** The number of bytes that all buffers in use may have, of which each client that does not read holds one. */
const MAX_USED_BYTES = 256 * 1024 * 1024

/** The buffers for response bodies that are being sent. They are not used again: the journal has them. */
export class BufferPool {
  #usedBytes = 0

  /**
   * Returns a buffer of `bytes` bytes, whose content is arbitrary; undefined for more than `MAX_SIZE`,
   * and if all buffers in use would have too many.
   */
  acquire(bytes: number): Buffer | undefined {
    if (bytes > MAX_SIZE || this.#usedBytes + bytes > MAX_USED_BYTES) return undefined
    this.#usedBytes += bytes
    return Buffer.allocUnsafeSlow(bytes)
  }

  /** Takes a buffer back, which is sent. */
  release({ length }: Buffer): void {
    this.#usedBytes -= length
  }
}
