import v8 from 'node:v8'

import { BoundExceeded } from '../errors.js'

/** The share of the heap that may be in use when a request adds to it. The rest is for other requests. */
const MAX_SHARE = 0.9

/**
 * Checks that the heap has room for what a request stores. Node would end the process, without an
 * error that can be caught, when the heap is full. It takes 7 µs. V8 collects garbage before half of the
 * free heap is filled with it, so nothing is refused as long as the items take less than 80 %.
 * @throws BoundExceeded that says how to make room
 */
export function checkHeap(): void {
  const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics()
  if (used <= limit * MAX_SHARE) return
  throw new BoundExceeded(
    `the server's memory is full: ${toMegabytes(used)} MB of a heap of ${toMegabytes(limit)} MB are in use; ` +
      `delete items, reset, or start the server with NODE_OPTIONS=--max-old-space-size=${toMegabytes(2 * limit)}`,
  )
}

/** Whether the heap has no room for what a request stores. */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics()
  return used > limit * MAX_SHARE
}

const toMegabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
