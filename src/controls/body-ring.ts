/** The largest part of a body that is stored, in bytes. */
export const MAX_STORED_BYTES = 64 * 1024

/**
 * The size of a piece of the memory, which is allocated when it is first needed, in bytes. Each of a
 * thousand sandboxes has a ring, and most of them few bodies.
 */
const SEGMENT_BYTES = 256 * 1024

/** The number of pieces at most. */
const MAX_SEGMENTS = 32

/** The place of a body's first 64 KiB in the memory. */
export interface StoredBody {
  /** The number of bytes that were written before it, gaps included. */
  readonly position: number
  readonly length: number
}

/**
 * The first 64 KiB of each of the newest bodies, in at most 8 MiB. A new body overwrites the oldest
 * ones. Storing one allocates nothing: bodies are sent from buffers that are used again.
 */
export class BodyRing {
  #segments: Buffer[] = []
  /** The position after the newest body. */
  #end = 0

  /** Stores the first 64 KiB of a body. A text ends after a whole character. */
  write(body: Buffer | string): StoredBody {
    const used = this.#end % SEGMENT_BYTES
    const needed = Math.min(MAX_STORED_BYTES, Buffer.byteLength(body))
    if (used + needed > SEGMENT_BYTES) this.#end += SEGMENT_BYTES - used
    const position = this.#end
    const offset = position % SEGMENT_BYTES
    const segment = this.#findSegment(position)
    const length =
      typeof body === 'string'
        ? segment.write(body, offset, MAX_STORED_BYTES)
        : body.copy(segment, offset, 0, findTextEnd(body))
    this.#end += length
    return { position, length }
  }

  /** Returns the text of a stored body, or undefined if newer ones have overwritten it. */
  read({ position, length }: StoredBody): string | undefined {
    if (this.#end - position > SEGMENT_BYTES * MAX_SEGMENTS) return undefined
    const offset = position % SEGMENT_BYTES
    return this.#findSegment(position).toString('utf8', offset, offset + length)
  }

  /** Frees the memory. The bodies must not be read any more. */
  clear(): void {
    this.#segments = []
  }

  #findSegment(position: number): Buffer {
    const index = Math.floor(position / SEGMENT_BYTES) % MAX_SEGMENTS
    return (this.#segments[index] ??= Buffer.allocUnsafeSlow(SEGMENT_BYTES))
  }
}

/** Returns the number of bytes to store of a text in UTF-8: no byte of a character without the rest. */
function findTextEnd(body: Buffer): number {
  let end = Math.min(body.length, MAX_STORED_BYTES)
  while (end < body.length && isContinuation(body[end])) end -= 1
  return end
}

/** Whether a byte is one of a character, but not its first (RFC 3629, section 3). */
const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80
