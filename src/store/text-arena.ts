const NO_MEMORY = Buffer.alloc(0)

/**
 * Memory for the JSON texts of a collection's items, as UTF-8 outside of V8's heap. It is allocated
 * at once and filled text by text, because V8 collects its whole heap whenever another 64 MB are
 * allocated outside of it, which takes seconds with a million items.
 */
export class TextArena {
  readonly #memory: Buffer
  /** The number of bytes that are filled. */
  #used = 0

  /** @param memory a buffer that nothing else uses */
  constructor(memory = NO_MEMORY) {
    this.#memory = memory
  }

  /** Writes a text and returns its UTF-8. A text that does not fit gets a buffer of its own. */
  write(text: string): Buffer {
    const end = this.#used + Buffer.byteLength(text)
    if (end > this.#memory.length) return Buffer.from(text)
    const slice = this.#memory.subarray(this.#used, end)
    slice.write(text)
    this.#used = end
    return slice
  }
}
