import type { WriteStream } from 'node:tty'

/** Returns to the start of the line, and erases it. */
const ERASE = '\r\x1b[K'

/** A line on a terminal that says what is going on. Without a terminal it shows nothing. */
export class Progress {
  readonly #stream: WriteStream
  #isShown = false

  constructor(stream: WriteStream) {
    this.#stream = stream
  }

  /** Shows a text in place of the last one, cut to the width of the terminal. */
  show(text: string): void {
    if (!this.#stream.isTTY) return
    this.#isShown = true
    this.#stream.write(ERASE + text.slice(0, Math.max(1, (this.#stream.columns || 80) - 1)))
  }

  /** Removes the line. */
  clear(): void {
    if (this.#isShown) this.#stream.write(ERASE)
    this.#isShown = false
  }
}
