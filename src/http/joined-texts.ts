import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'

/** The size of the largest body that is written at once, in bytes. A list of 50 items has 72,000 bytes. */
const MAX_WRITTEN_BYTES = 512 * 1024

/** Shares the texts of items: a copy would take its memory until client and journal are done. */
export class JoinedTexts extends Readable {
  readonly #parts: readonly Buffer[]
  readonly #size: number
  #next = 0

  /** @param size the number of bytes of all parts */
  constructor(parts: readonly Buffer[], size: number) {
    super()
    this.#parts = parts
    this.#size = size
  }

  override _read(): void {
    this.push(this.#parts[this.#next++] ?? null)
  }

  /**
   * Writes all parts to a response at once, so that one call of the operating system sends them. What is
   * larger waits for the client, as does what a pipeline reads, which ends its target itself.
   */
  override pipe<Target extends NodeJS.WritableStream>(
    target: Target & Partial<Pick<Writable, 'cork' | 'uncork'>>,
    options?: { end?: boolean },
  ): Target {
    if (options !== undefined || this.#size > MAX_WRITTEN_BYTES) return super.pipe(target, options)
    target.cork?.()
    for (const part of this.#parts) target.write(part)
    target.end()
    target.uncork?.()
    this.push(null)
    this.resume()
    return target
  }
}
