/**
 * Ranges of which each holds exactly so many of the numbers: from the first up to but without the
 * second.
 */
export function rangesOf(numbers: readonly number[], size: number): [from: number, to: number][] {
  const sorted = numbers.toSorted((one, other) => one - other)
  const ranges: [from: number, to: number][] = []
  for (let start = 1; start + size < sorted.length; start += 1) {
    const [before, from, last, to] = [start - 1, start, start + size - 1, start + size].map(
      (index) => sorted[index] as number,
    ) as [number, number, number, number]
    if (before < from && last < to) ranges.push([from, to])
  }
  return ranges
}
