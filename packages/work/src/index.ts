// Work and what runs it
export { LARGE_TURN, runToEnd, toWork } from './work.js'
export type { Activity, Work } from './work.js'
export { Scheduler } from './scheduler.js'
export { Budget, checkEpoch } from './budget.js'
export type { Epoch } from './budget.js'
export { findResult, waitForResults } from './elsewhere.js'
export type { Elsewhere } from './elsewhere.js'

// Limits of one step and of the heap
export { TimeoutError, runWithTimeout } from './run-with-timeout.js'
export { checkHeap, isHeapFull } from './heap.js'

// Errors
export { BudgetExceeded, StateReplaced } from './errors.js'
