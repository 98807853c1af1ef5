import { PatternTooCostly } from '../errors.js'
import { TimeoutError, runWithTimeout } from '../work/run-with-timeout.js'
import type { Work } from '../work/work.js'

/** The time that regular expressions may take on one item, in ms. */
export const MAX_MATCH_MS = 20

/** The number of tries: the first may have taken long because the machine was busy. */
const MAX_TRIES = 3

/**
 * Runs regular expressions on one item or array, and aborts them after 20 ms.
 * @throws TimeoutError if they are aborted, for `retryTimeouts`; else whatever the match throws
 */
export const runPattern = <Result>(match: () => Result): Result =>
  runWithTimeout(match, MAX_MATCH_MS)

/**
 * Runs work that matches regular expressions with `runPattern`. If they are aborted, it runs the
 * whole work again in a later step.
 * @throws PatternTooCostly if every try is aborted; else whatever the work throws
 */
export function* retryTimeouts<Result>(run: () => Result): Work<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
    }
    yield 'matching patterns'
  }
  throw new PatternTooCostly(MAX_MATCH_MS)
}
