/** Returns all ranges that contain exactly `size` of the numbers. Their upper end is exclusive. */
export function findRanges(numbers: readonly number[], size: number): [from: number, to: number][] {
  const sorted = numbers.toSorted((a, b) => a - b)
  const ranges: [from: number, to: number][] = []
  for (let start = 1; start + size < sorted.length; start += 1) {
    const [before, from, last, to] = [start - 1, start, start + size - 1, start + size].map(
      (index) => sorted[index] as number,
    ) as [number, number, number, number]
    if (before < from && last < to) ranges.push([from, to])
  }
  return ranges
}
