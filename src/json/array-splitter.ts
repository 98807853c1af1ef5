import type { InputPath } from './input-path.js'
import { BYTES } from './utf8.js'

/** The bytes of the mark that some editors write at the start of a file. */
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])

const WHITE_SPACE = new Set<number>([BYTES.space, BYTES.newline, BYTES.return, BYTES.tab])

/** The place of the next byte: before the array, before an item, in an item, or after the array. */
type Place = 'start' | 'first' | 'next' | 'item' | 'end'

/**
 * Splits the JSON text of an array into the texts of its elements, while it arrives. `JSON.parse` of 64
 * MiB takes a second and can't be interrupted, but parsing one element takes little time. Malformed
 * text is split at any place: the parser of the elements reports the error.
 */
export class ArraySplitter {
  readonly #path: InputPath
  readonly #maxElementBytes: number
  #place: Place = 'start'
  #count = 0
  /** The number of open objects and arrays in the element. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The beginning of the element, from earlier chunks. */
  #parts: Buffer[] = []
  #partsBytes = 0

  /**
   * @param path the path of the array, for errors
   * @param maxElementBytes the largest allowed size of an element
   */
  constructor(path: InputPath, maxElementBytes: number) {
    this.#path = path
    this.#maxElementBytes = maxElementBytes
  }

  /**
   * Yields the texts of the elements that end in a chunk.
   * @throws the path's error for text that is not an array, and its limitError for a large element
   */
  *split(chunk: Buffer): Generator<Buffer> {
    let index = 0
    while (index < chunk.length) {
      if (this.#place !== 'item') {
        if (!this.#startsElement(chunk[index] as number)) index += 1
        continue
      }
      const end = this.#findEnd(chunk, index)
      this.#append(chunk.subarray(index, end))
      if (end === chunk.length) return
      yield this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
      this.#parts = []
      this.#partsBytes = 0
      this.#count += 1
      this.#place = chunk[end] === BYTES.comma ? 'next' : 'end'
      index = end + 1
    }
  }

  /** @throws the path's error if the text is not complete */
  finish(): void {
    if (this.#place === 'start') throw this.#path.error(EXPECTED)
    if (this.#place !== 'end')
      throw this.#path.error(`is not JSON: it ends in or after element ${this.#count + 1}`)
  }

  /** Reads a byte outside of the elements. Returns whether an element starts at this byte. */
  #startsElement(byte: number): boolean {
    if (WHITE_SPACE.has(byte)) return false
    if (this.#place === 'end') throw this.#path.error('is not JSON: there is text after the array')
    if (this.#place === 'start') {
      if (BYTE_ORDER_MARK.has(byte)) return false
      if (byte !== BYTES.openBracket) throw this.#path.error(EXPECTED)
      this.#place = 'first'
      return false
    }
    if (byte === BYTES.closeBracket && this.#place === 'first') {
      this.#place = 'end'
      return false
    }
    if (byte === BYTES.closeBracket || byte === BYTES.comma)
      throw this.#path.child(this.#count).error('is not JSON: a value is expected')
    this.#place = 'item'
    return true
  }

  /** Returns the index of the comma or bracket after the element, or the length of the chunk. */
  #findEnd(chunk: Buffer, start: number): number {
    let index = start
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index]
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BYTES.backslash) this.#isEscaped = true
        else if (byte === BYTES.quote) this.#isInString = false
      } else if (byte === BYTES.quote) {
        this.#isInString = true
      } else if (byte === BYTES.openBrace || byte === BYTES.openBracket) {
        this.#depth += 1
      } else if (this.#depth === 0) {
        if (byte === BYTES.comma || byte === BYTES.closeBracket) break
      } else if (byte === BYTES.closeBrace || byte === BYTES.closeBracket) {
        this.#depth -= 1
      }
    }
    return index
  }

  #append(part: Buffer): void {
    this.#parts.push(part)
    this.#partsBytes += part.length
    if (this.#partsBytes <= this.#maxElementBytes) return
    throw this.#path
      .child(this.#count)
      .limitError(`must have at most ${this.#maxElementBytes} bytes`)
  }
}

const EXPECTED = 'must be a JSON array of items'
