/** The number of times that each of several things occurred. */
export type Tally = Readonly<Record<string, number>>

/** Adds one to the count of a thing. */
export function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1
}

/** Returns the names and counts of a tally, the largest count first. */
export const sortTally = (tally: Tally): [name: string, count: number][] =>
  Object.entries(tally).toSorted(([, a], [, b]) => b - a)

/** Formats a tally as `312 × 200, 20 × 400 BUDGET_EXCEEDED`; a dash if it is empty. */
export const formatTally = (tally: Tally): string =>
  sortTally(tally)
    .map(([name, times]) => `${times.toLocaleString('en-US')} × ${name}`)
    .join(', ') || '–'
