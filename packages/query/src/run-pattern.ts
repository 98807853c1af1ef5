import { BoundExceeded } from '@materials-mock/json'
import { TimeoutError, runWithTimeout } from '@materials-mock/work'
import type { Activity, Work } from '@materials-mock/work'
import { PatternTooCostly } from './errors.js'

/** The time that regular expressions may take on one item, in ms. */
export const MAX_MATCH_MS = 20

/** The time that other conditions may take on one item, in ms. */
const MAX_CONDITIONS_MS = 150

/** The first and those with the processor for at least half of the time, and all: others may have had it. */
const MAX_TRIES = { counted: 3, all: 12 }

/** Whether a regular expression is being matched, or was when its match was aborted. */
let isInPattern = false

/** Matches a regular expression, so that the cause of an abort is known. */
export function matchPattern<Result>(match: () => Result): Result {
  isInPattern = true
  const result = match()
  isInPattern = false
  return result
}

/** The conditions on one item took too long, and no regular expression was the cause. */
class ConditionsTimeoutError extends TimeoutError {}

/**
 * Aborts regular expressions after 20 ms, and other conditions after 150 ms.
 * @throws TimeoutError, for `retryTimeouts`, and the errors of the match
 */
export function runPattern<Result>(match: () => Result): Result {
  try {
    return runMatch(match, MAX_MATCH_MS)
  } catch (error) {
    if (!(error instanceof ConditionsTimeoutError)) throw error
  }
  return runMatch(match, MAX_CONDITIONS_MS)
}

/**
 * Aborts it after some ms, so it must leave nothing half done.
 * @throws TimeoutError, and its errors
 */
export function runMatch<Result>(match: () => Result, milliseconds: number): Result {
  isInPattern = false
  try {
    return runWithTimeout(match, milliseconds)
  } catch (error) {
    throw error instanceof TimeoutError && !isInPattern ? new ConditionsTimeoutError() : error
  }
}

/** Names what took too long when a match was aborted. */
export const nameAborted = (error: TimeoutError): Activity =>
  error instanceof ConditionsTimeoutError ? 'matching conditions' : 'matching patterns'

/** Whether this process had the processor for half of a match's time since a start. */
function hadProcessor(start: NodeJS.CpuUsage): boolean {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000 >= MAX_MATCH_MS / 2
}

/**
 * Runs work that matches with `runPattern`. If it is aborted, it runs the whole work again in a later
 * step: at most three times if a regular expression was the cause, or else until the budget is used up.
 * @throws PatternTooCostly if every try is aborted in a regular expression; BoundExceeded if other
 * conditions take too long and the budget is large; else the errors of the work
 */
export function* retryTimeouts<Result>(run: () => Result): Work<Result> {
  let aborted: Activity = 'matching patterns'
  let counted = 0
  for (let tries = 0; tries < MAX_TRIES.all && counted < MAX_TRIES.counted; tries += 1) {
    // To measure the first try would take longer than most work, which is tried once.
    const start = tries === 0 ? undefined : process.cpuUsage()
    try {
      return run()
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      aborted = nameAborted(error)
    }
    const isCounted = start === undefined || hadProcessor(start)
    if (aborted === 'matching patterns' && isCounted) counted += 1
    yield aborted
  }
  if (aborted === 'matching patterns') throw new PatternTooCostly(MAX_MATCH_MS)
  throw new BoundExceeded(
    `the conditions must take at most ${MAX_CONDITIONS_MS} ms on one item; have fewer of them`,
  )
}
