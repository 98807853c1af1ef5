import type { BufferMemoryPart } from '../../work/buffer-memory.js'

/** The largest part of a body that is stored, in bytes. */
export const MAX_STORED_BYTES = 64 * 1024

/**
 * The size of a piece of the memory, which is allocated when it is first needed, in bytes. Each of a
 * thousand sandboxes has a ring, and most of them few bodies.
 */
const SEGMENT_BYTES = 256 * 1024

/** The number of pieces at most. */
const MAX_SEGMENTS = 32

/** A piece of the memory, with the bodies from a position on. */
interface Segment {
  readonly start: number
  readonly bytes: Buffer
}

/** The place of a body's first 64 KiB in the memory. */
export interface StoredBody {
  /** The number of bytes that were written before it, gaps included. */
  readonly position: number
  readonly length: number
}

const NOT_STORED: StoredBody = { position: -1, length: 0 }

/**
 * The first 64 KiB of each of the newest bodies, in at most 8 MiB, or less if the memory has no more. A
 * new body overwrites the oldest ones. Storing one allocates nothing: bodies are sent from buffers that
 * are used again.
 */
export class BodyRing {
  readonly #memory: BufferMemoryPart
  /** The oldest one first. */
  #segments: Segment[] = []
  /** The position after the newest body. */
  #end = 0

  constructor(memory: BufferMemoryPart) {
    this.#memory = memory
  }

  /** Stores the first 64 KiB of a body, if there is memory. A text ends after a whole character. */
  write(body: Buffer | string): StoredBody {
    const used = this.#end % SEGMENT_BYTES
    const needed = Math.min(MAX_STORED_BYTES, Buffer.byteLength(body))
    if (used + needed > SEGMENT_BYTES) this.#end += SEGMENT_BYTES - used
    const position = this.#end
    const offset = position % SEGMENT_BYTES
    const segment = this.#findSegment(position) ?? this.#addSegment(position - offset)
    if (segment === undefined) return NOT_STORED
    const length =
      typeof body === 'string'
        ? segment.bytes.write(body, offset, MAX_STORED_BYTES)
        : body.copy(segment.bytes, offset, 0, findTextEnd(body))
    this.#end += length
    return { position, length }
  }

  /** Returns the text of a stored body, or undefined if newer ones have overwritten it. */
  read({ position, length }: StoredBody): string | undefined {
    const offset = position % SEGMENT_BYTES
    return this.#findSegment(position)?.bytes.toString('utf8', offset, offset + length)
  }

  /** Frees the memory. The bodies must not be read any more. */
  clear(): void {
    this.#memory.take(-this.#segments.length * SEGMENT_BYTES)
    this.#segments = []
  }

  #findSegment(position: number): Segment | undefined {
    return this.#segments.findLast(
      ({ start }) => start <= position && position < start + SEGMENT_BYTES,
    )
  }

  /** Adds a piece of memory, or else uses the oldest one again. */
  #addSegment(start: number): Segment | undefined {
    const isFull = this.#segments.length === MAX_SEGMENTS || !this.#memory.take(SEGMENT_BYTES)
    const bytes = isFull ? this.#segments.shift()?.bytes : Buffer.allocUnsafeSlow(SEGMENT_BYTES)
    if (bytes === undefined) return undefined
    const segment = { start, bytes }
    this.#segments.push(segment)
    return segment
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
