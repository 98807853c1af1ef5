import { SUCCESS_ENVELOPE } from './envelope-schema.js'

const OPEN = { item: SUCCESS_ENVELOPE.open, list: `${SUCCESS_ENVELOPE.open}[` }
const CLOSE = { item: SUCCESS_ENVELOPE.close, list: `]${SUCCESS_ENVELOPE.close}` }
const COMMA = ','.charCodeAt(0)

/**
 * The body of a response that is joined from the JSON texts of stored items, in the success envelope.
 * The texts never change, so keeping a body needs no copy.
 */
export class JoinedBody {
  /** The size of the joined body in bytes. */
  readonly size: number
  readonly #kind: 'item' | 'list'
  readonly #texts: readonly Buffer[]

  /** @param texts one text for an item, and any number of them for a list */
  constructor(kind: 'item' | 'list', texts: readonly Buffer[]) {
    this.#kind = kind
    this.#texts = texts
    let size = OPEN[kind].length + CLOSE[kind].length + Math.max(0, texts.length - 1)
    for (const { length } of texts) size += length
    this.size = size
  }

  /** Joins the texts at the start of a buffer, and returns the body. */
  join(buffer: Buffer = Buffer.allocUnsafe(this.size)): Buffer {
    let end = buffer.write(OPEN[this.#kind], 'latin1')
    let isFirst = true
    for (const text of this.#texts) {
      if (!isFirst) buffer[end++] = COMMA
      isFirst = false
      buffer.set(text, end)
      end += text.length
    }
    buffer.write(CLOSE[this.#kind], end, 'latin1')
    return buffer.subarray(0, this.size)
  }

  /** Returns the parts of the body one after the other, for a stream. */
  *parts(): Generator<Buffer> {
    yield Buffer.from(OPEN[this.#kind])
    for (const [index, text] of this.#texts.entries()) {
      if (index > 0) yield Buffer.from(',')
      yield text
    }
    yield Buffer.from(CLOSE[this.#kind])
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
