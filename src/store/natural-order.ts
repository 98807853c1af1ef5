/** What stands in natural order: by an ordinal that never changes and that no other has. */
export interface Ordered {
  readonly ordinal: number
}

/** Where the first one is whose ordinal is not below the given one: a binary search. */
export function positionOf(entries: readonly Ordered[], ordinal: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Ordered).ordinal < ordinal) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts one in where its ordinal belongs; at the end costs nothing. */
export function insertOrdered<T extends Ordered>(entries: T[], entry: T): void {
  const last = entries.at(-1)
  if (last === undefined || last.ordinal < entry.ordinal) entries.push(entry)
  else entries.splice(positionOf(entries, entry.ordinal), 0, entry)
}

/** Takes the one with this ordinal out. */
export function removeOrdered(entries: Ordered[], ordinal: number): void {
  const position = positionOf(entries, ordinal)
  if (entries[position]?.ordinal === ordinal) entries.splice(position, 1)
}

/**
 * All in natural order. Their ordinals are read in one go and then sorted as numbers: entries lie all
 * over the memory, and a sort that compares them waits for one after the other.
 */
export function sortOrdered<T extends Ordered>(entries: readonly T[]): T[] {
  const count = entries.length
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at += 1) keys[at] = (entries[at] as T).ordinal * count + at
  const sorted: T[] = []
  for (const key of keys.toSorted()) sorted.push(entries[key % count] as T)
  return sorted
}

/** All of several lists in natural order, each once. */
export function mergeOrdered<T extends Ordered>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only] = lists
  if (only === undefined || lists.length === 1) return only ?? []
  const all = sortOrdered(lists.flat())
  return all.filter((entry, at) => entry !== all[at - 1])
}
