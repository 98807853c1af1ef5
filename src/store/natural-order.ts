/** An entry with a place in natural order: a unique ordinal that never changes. */
export interface Ordered {
  readonly ordinal: number
}

/** Returns the position of the first entry with this ordinal or a larger one, by binary search. */
export function findPosition(entries: readonly Ordered[], ordinal: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Ordered).ordinal < ordinal) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts an entry at the position of its ordinal. At the end of the array this takes O(1). */
export function insertOrdered<T extends Ordered>(entries: T[], entry: T): void {
  const last = entries.at(-1)
  if (last === undefined || last.ordinal < entry.ordinal) entries.push(entry)
  else entries.splice(findPosition(entries, entry.ordinal), 0, entry)
}

/** Removes the entry with this ordinal, if there is one. */
export function removeOrdered(entries: Ordered[], ordinal: number): void {
  const position = findPosition(entries, ordinal)
  if (entries[position]?.ordinal === ordinal) entries.splice(position, 1)
}

/**
 * Returns the entries in natural order. The ordinals are copied to an array of numbers and sorted
 * there, because the entries are scattered over the heap and each comparison would read two of them.
 */
export function sortOrdered<T extends Ordered>(entries: readonly T[]): T[] {
  const count = entries.length
  const keys = new Float64Array(count)
  for (let index = 0; index < count; index += 1)
    keys[index] = (entries[index] as T).ordinal * count + index
  const sorted: T[] = []
  for (const key of keys.toSorted()) sorted.push(entries[key % count] as T)
  return sorted
}

/** Returns the entries of several ordered arrays in natural order, each once. */
export function mergeOrdered<T extends Ordered>(arrays: readonly (readonly T[])[]): readonly T[] {
  const [only] = arrays
  if (only === undefined || arrays.length === 1) return only ?? []
  const sorted = sortOrdered(arrays.flat())
  return sorted.filter((entry, index) => entry !== sorted[index - 1])
}
