import { PatternTooCostly } from '../errors.js'
import { TimeoutError, runWithTimeout } from '../work/run-with-timeout.js'
import type { Work } from '../work/work.js'

/** The time that regular expressions may take on one item, in ms. */
export const MAX_MATCH_MS = 20

/**
 * The number of tries in which this process had the processor for at least half of the time, and
 * that of all tries. Other processes may have had it.
 */
const MAX_TRIES = { counted: 3, all: 12 }

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
  let counted = 0
  for (let tries = 0; tries < MAX_TRIES.all && counted < MAX_TRIES.counted; tries += 1) {
    const start = process.cpuUsage()
    try {
      return run()
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
    }
    const { user, system } = process.cpuUsage(start)
    if ((user + system) / 1000 >= MAX_MATCH_MS / 2) counted += 1
    yield 'matching patterns'
  }
  throw new PatternTooCostly(MAX_MATCH_MS)
}
