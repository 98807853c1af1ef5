import { defineError } from '@materials-mock/json'

/** One match can't be interrupted, and backtracking can be exponential. */
export const PatternTooCostly = defineError<[ms: number]>(
  'PATTERN_TOO_COSTLY',
  'regular expressions took longer than %s ms on one item; simplify them, such as a repetition in a repetition, or have fewer',
)
