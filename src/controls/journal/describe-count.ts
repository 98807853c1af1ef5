/** Describes the expected numbers: `2`, `at least 1`, `at most 3`, `1 to 3`. */
export function describeCount({
  min,
  max,
}: {
  readonly min: number
  readonly max: number | null
}): string {
  if (min === max) return String(min)
  if (max === null) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}
