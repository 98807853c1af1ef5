import type { WriteStream } from 'node:tty'

import { escapeLine } from '@materials-mock/json'

/** Returns to the start of the line, and erases it. */
const ERASE = '\r\x1b[K'

export class Progress {
  readonly #stream: WriteStream
  #shown = ''

  constructor(stream: WriteStream) {
    this.#stream = stream
  }

  /** Replaces the shown text, cut to the width of the terminal. */
  show(text: string): void {
    if (!this.#stream.isTTY) return
    this.#shown = escapeLine(text)
    this.#stream.write(ERASE + this.#shown.slice(0, Math.max(1, (this.#stream.columns || 80) - 1)))
  }

  /** Shows that a part of the work is complete, if there is no terminal. */
  showComplete(text: string): void {
    if (!this.#stream.isTTY) this.#stream.write(`${escapeLine(text)}\n`)
  }

  showWait(ms: number): void {
    const wait = `the server asks to wait for ${Math.ceil(ms / 1000)} s`
    this.showComplete(wait)
    if (this.#stream.isTTY) {
      const shown = this.#shown
      this.show(shown === '' ? wait : `${shown}, ${wait}`)
      this.#shown = shown
    }
  }

  clear(): void {
    if (this.#shown !== '') this.#stream.write(ERASE)
    this.#shown = ''
  }
}
