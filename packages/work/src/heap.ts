import v8 from 'node:v8'

import { BoundExceeded } from '@materials-mock/json'

const MEGABYTE = 2 ** 20

/** The part of V8's limit that is only for new objects: three semi-spaces of at most 64 MB (Node 24). */
const MAX_YOUNG = 192 * MEGABYTE

/** The share of the heap that may be in use when a request adds to it. The rest is for other requests. */
const MAX_SHARE = 0.9

/**
 * Node ends a process with a full heap without an error that can be caught. Takes 7 µs. V8 collects
 * garbage before it fills half of the free heap, so nothing is refused below 80 %.
 * @param needed the bytes, if they may be many
 * @throws BoundExceeded that says how to make room
 */
export function checkHeap(needed = 0): void {
  const { used, limit } = readHeap()
  if (used + needed <= limit * MAX_SHARE) return
  throw new BoundExceeded(
    `the server's memory is full: ${toMegabytes(used)} MB of a heap of ${toMegabytes(limit)} MB are in use${needed > 0 ? `, and ${toMegabytes(needed)} MB may be needed` : ''}; ` +
      `delete items, reset, or start the server with NODE_OPTIONS=--max-old-space-size=${toMegabytes(2 * limit)}`,
  )
}

/** Whether the heap has no room for the data that a request stores. */
export function isHeapFull(): boolean {
  const { used, limit } = readHeap()
  return used > limit * MAX_SHARE
}

/** Reads the used size and the limit of the part of the heap for long-lived objects, in bytes. */
function readHeap(): { readonly used: number; readonly limit: number } {
  const { used_heap_size: used, heap_size_limit: total } = v8.getHeapStatistics()
  return { used, limit: Math.max(total - MAX_YOUNG, total / 2) }
}

const toMegabytes = (bytes: number): number => Math.round(bytes / MEGABYTE)
