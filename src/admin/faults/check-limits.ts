import { BoundExceeded } from '../../errors.js'
import { checkHeap } from '../../work/check-heap.js'
import type { CompiledFault } from './compile-fault.js'

/** The number of rules: each one is matched with each request. */
const MAX_RULES = 200

/** The size of all rules, in characters of JSON. */
const MAX_SIZE = 16 * 1024 * 1024

/**
 * Checks that there is room for one more rule.
 * @throws BoundExceeded for too many or too large rules, and as checkHeap does
 */
export function checkLimits(
  rules: readonly Pick<CompiledFault, 'size'>[],
  added: Pick<CompiledFault, 'size'>,
): void {
  checkHeap()
  if (rules.length >= MAX_RULES)
    throw new BoundExceeded(`there must be at most ${MAX_RULES} fault rules; remove some first`)
  const size = rules.reduce((sum, rule) => sum + rule.size, added.size)
  if (size <= MAX_SIZE) return
  throw new BoundExceeded(
    `all fault rules must have at most ${MAX_SIZE} characters of JSON, not ${size}; remove some first`,
  )
}
