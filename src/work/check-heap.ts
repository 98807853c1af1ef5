import { BoundExceeded } from '../errors.js'
import { readHeap, toMegabytes } from './heap.js'

/** The share of the heap that may be in use when a request adds to it. The rest is for other requests. */
const MAX_SHARE = 0.9

/** The bytes that a container, an element and a member take in the heap, with room for their tables. */
const BYTES_PER = { container: 64, element: 16, member: 40 }

/** A value is parsed, and then copied in part, checked and written. */
const COPIES = 3

/**
 * Returns the memory that work on the value of a JSON text may need, in bytes: 300,000 empty objects
 * are a text of 1 MB, and twenty times as much when they are parsed.
 */
export function estimateParsed(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === OPEN_BRACE || code === OPEN_BRACKET) bytes += BYTES_PER.container
    else if (code === COMMA) bytes += BYTES_PER.element
    else if (code === COLON) bytes += BYTES_PER.member
  }
  return bytes * COPIES
}

const [OPEN_BRACE, OPEN_BRACKET, COMMA, COLON] = [0x7b, 0x5b, 0x2c, 0x3a]

/**
 * Checks that the heap has room for what a request stores. Node would end the process, without an
 * error that can be caught, when the heap is full. It takes 7 µs. V8 collects garbage before half of the
 * free heap is filled with it, so nothing is refused as long as the items take less than 80 %.
 * @param needed the bytes that it is about to take at once
 * @throws BoundExceeded that says how to make room
 */
export function checkHeap(needed = 0): void {
  if (!isHeapFull(needed)) return
  const { used, limit } = readHeap()
  throw new BoundExceeded(
    `the server's memory is full: ${toMegabytes(used)} MB of a heap of ${toMegabytes(limit)} MB are in use; ` +
      `delete items, reset, or start the server with NODE_OPTIONS=--max-old-space-size=${toMegabytes(2 * limit)}`,
  )
}

/**
 * Whether the heap has no room for what a request stores.
 * @param needed the bytes that it is about to take at once
 */
export function isHeapFull(needed = 0): boolean {
  const { used, limit } = readHeap()
  return used + needed > limit * MAX_SHARE
}
