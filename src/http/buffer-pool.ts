/** The smallest size of pooled buffers, in bytes. A list of 50 items has 72,000. */
const MIN_SIZE = 128 * 1024

/** The largest size of pooled buffers, in bytes. */
export const MAX_SIZE = 8 * 1024 * 1024

/** The number of bytes that the free buffers of one size may have together, beyond one buffer. */
const MAX_FREE_BYTES = 4 * 1024 * 1024

/** The number of bytes that all buffers in use may have, of which each client that does not read holds one. */
const MAX_USED_BYTES = 256 * 1024 * 1024

/**
 * A pool of buffers for response bodies. A new buffer for each response would be garbage as soon as
 * it is sent, and V8 marks its whole heap for every 64 MB of that.
 */
export class BufferPool {
  /** Free buffers by size, which is a power of two. */
  readonly #free = new Map<number, Buffer[]>()
  #usedBytes = 0

  /**
   * Returns a buffer of at least `bytes` bytes, whose content is arbitrary; undefined for more than
   * `MAX_SIZE`, and if all buffers in use would have too many.
   */
  acquire(bytes: number): Buffer | undefined {
    const size = bytes <= MIN_SIZE ? MIN_SIZE : 2 ** Math.ceil(Math.log2(bytes))
    if (bytes > MAX_SIZE || this.#usedBytes + size > MAX_USED_BYTES) return undefined
    this.#usedBytes += size
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
  }

  /** Takes a buffer back. The caller must not use it any more. */
  release(buffer: Buffer): void {
    const { length: size } = buffer
    this.#usedBytes -= size
    const free = this.#free.get(size) ?? []
    if (free.length * size < MAX_FREE_BYTES) free.push(buffer)
    this.#free.set(size, free)
  }
}
