import type { Entry } from './entry.js'

/** Returns the position of the first entry with this ordinal or a larger one, by binary search. */
export function findPosition(entries: readonly Entry[], ordinal: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Entry).ordinal < ordinal) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the entries in natural order. The ordinals are copied to an array of numbers and sorted
 * there, because the entries are scattered over the heap and each comparison would read two of them.
 */
export function sortOrdered(entries: readonly Entry[]): Entry[] {
  const count = entries.length
  const keys = new Float64Array(count)
  for (let index = 0; index < count; index += 1)
    keys[index] = (entries[index] as Entry).ordinal * count + index
  return Array.from(keys.toSorted(), (key) => entries[key % count] as Entry)
}
