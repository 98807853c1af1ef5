import { PatternTooCostly } from '../errors.js'
import { TimeoutError, runWithTimeout } from '../work/run-with-timeout.js'

/** The time that regular expressions may take on one item, in ms. */
export const MAX_MATCH_MS = 20

/** The number of tries: the first may have taken long because the machine was busy. */
const MAX_TRIES = 3

/**
 * Runs regular expressions on one item, and aborts them after a time, in ms.
 * @throws PatternTooCostly if every try is aborted; else whatever the match throws
 */
export function runPattern<Result>(match: () => Result, maxMs = MAX_MATCH_MS): Result {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    try {
      return runWithTimeout(match, maxMs)
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
    }
  }
  throw new PatternTooCostly(maxMs)
}
