import type { Work } from '../../work/work.js'

/** The number of positions that are sorted at once, and merged in one step. */
const RUN_LENGTH = 1024

/**
 * Returns the positions 0 to `length - 1`, sorted in small steps: a bottom-up merge sort. It is
 * stable.
 * @param compare compares two positions: below 0 if `a` comes first
 */
export function* sortPositions(
  length: number,
  compare: (a: number, b: number) => number,
): Work<Uint32Array> {
  let sorted = new Uint32Array(length)
  for (let start = 0; start < length; start += RUN_LENGTH) {
    const end = Math.min(start + RUN_LENGTH, length)
    for (let at = start; at < end; at += 1) sorted[at] = at
    sorted.subarray(start, end).sort((a, b) => compare(a, b) || a - b)
    yield 'creating an index'
  }
  let merged = new Uint32Array(length)
  for (let width = RUN_LENGTH; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width)
      yield* merge(sorted, merged, start, width, compare)
    ;[sorted, merged] = [merged, sorted]
  }
  return sorted
}

/** Merges two sorted runs of at most `width` positions, which begin at `start`. */
function* merge(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  width: number,
  compare: (a: number, b: number) => number,
): Work<void> {
  const middle = Math.min(start + width, from.length)
  const end = Math.min(start + 2 * width, from.length)
  let [left, right] = [start, middle]
  for (let at = start; at < end; at += 1) {
    const takesLeft =
      left < middle && (right >= end || compare(from[left] as number, from[right] as number) <= 0)
    to[at] = (takesLeft ? from[left++] : from[right++]) as number
    if (at % RUN_LENGTH === 0) yield 'creating an index'
  }
}
