import { setImmediate } from 'node:timers/promises'

import type { Test } from 'tap'

import { Budget } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { replace } from './replace.js'

/**
 * Ends each slice of work after one step during a test, so that little work takes many turns of the event loop.
 * @param onSlice is called before each slice with the number of slices so far
 * @returns what ends it earlier
 */
export function sliceFinely(t: Test, onSlice?: (count: number) => void): () => void {
  const { runSlice } = Budget.prototype
  let count = 0
  return replace(t, Budget.prototype, 'runSlice', function run(this: Budget, work: Work<unknown>) {
    onSlice?.((count += 1))
    return runSlice.call(this, work, 0)
  })
}

/** Waits until a condition is true, and looks in each turn of the event loop. */
export async function waitForTurn(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate()
}
