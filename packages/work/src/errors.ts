import { defineError } from '@materials-mock/json'

/** The work of one request took longer than `--query-budget` allows. */
export const BudgetExceeded = defineError<[ms: number, spent: string]>(
  'BUDGET_EXCEEDED',
  'the request took longer than its budget of %s ms (--query-budget): %s',
)

/** All of the state was replaced while a request was in progress: what it would write belongs to the state before. */
export const StateReplaced = defineError(
  'STATE_REPLACED',
  'the server was reset, a snapshot was restored, or the sandbox ended while this request was in progress; send it again',
)
