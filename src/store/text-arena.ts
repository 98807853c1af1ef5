/**
 * Holds the JSON texts of a collection's items outside of V8's heap, and as they are sent. The
 * memory is given at once and used up text by text: V8 goes through its whole heap whenever 64 MB
 * more are allocated outside of it, which with a million items takes seconds.
 */
export class TextArena {
  readonly #memory: Buffer
  #used = 0

  /** @param memory nobody else's; what does not fit into it is held on its own */
  constructor(memory = Buffer.alloc(0)) {
    this.#memory = memory
  }

  /** The UTF-8 of a text, held as long as it is used. */
  write(text: string): Buffer {
    const end = this.#used + Buffer.byteLength(text)
    if (end > this.#memory.length) return Buffer.from(text)
    const held = this.#memory.subarray(this.#used, end)
    held.write(text)
    this.#used = end
    return held
  }
}
