import type { Random } from '@materials-mock/structures'

/** Returns an integer from 0 up to, but not including, `end`. */
export const chooseInteger = (random: Random, end: number): number => Math.floor(random() * end)

/** Returns one of the values, at least one, each with the same chance. */
export const choose = <T>(random: Random, values: readonly T[]): T =>
  values[chooseInteger(random, values.length)] as T

/** Returns one of the values, at least one, with a chance in proportion to its weight. */
export function chooseWeighted<T>(random: Random, weighted: readonly (readonly [number, T])[]): T {
  let rest = random() * weighted.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, value] of weighted) {
    rest -= weight
    if (rest < 0) return value
  }
  return (weighted.at(-1) as readonly [number, T])[1]
}
