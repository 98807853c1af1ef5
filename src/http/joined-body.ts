import { SUCCESS_ENVELOPE } from '../json/json.js'

const OPEN = Buffer.from(`${SUCCESS_ENVELOPE.open}[`)
const CLOSE = Buffer.from(`]${SUCCESS_ENVELOPE.close}`)
const COMMA = Buffer.from(',')

/**
 * The body of a list, which is joined from the JSON texts of its items, in the success envelope. The
 * texts never change, so keeping a body needs no copy.
 */
export class JoinedBody {
  /** The size of the joined body in bytes. */
  readonly size: number
  readonly #texts: readonly Buffer[]

  constructor(texts: readonly Buffer[]) {
    this.#texts = texts
    let size = OPEN.length + CLOSE.length + Math.max(0, texts.length - 1)
    for (const { length } of texts) size += length
    this.size = size
  }

  /** Joins the texts at the start of a buffer, and returns the body. */
  join(buffer: Buffer = Buffer.allocUnsafe(this.size)): Buffer {
    buffer.set(OPEN)
    let end = OPEN.length
    for (const text of this.#texts) {
      if (end > OPEN.length) buffer[end++] = COMMA[0] as number
      buffer.set(text, end)
      end += text.length
    }
    buffer.set(CLOSE, end)
    return buffer.subarray(0, this.size)
  }

  /** Returns the parts of the body one after the other, for a stream. */
  *parts(): Generator<Buffer> {
    yield OPEN
    for (const [index, text] of this.#texts.entries()) {
      if (index > 0) yield COMMA
      yield text
    }
    yield CLOSE
  }
}

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
