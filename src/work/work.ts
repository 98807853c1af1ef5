/** What a step of work does, for the message when the time is used up. */
export type Activity =
  | 'reading fixtures'
  | 'parsing the body'
  | 'parsing the parameters'
  | 'compiling the query'
  | 'creating an index'
  | 'scanning items'
  | 'matching patterns'
  | 'reading the journal'
  | 'creating the item'
  | 'writing the response'
  | 'saving the state'
  | 'restoring the state'
  | 'finishing jobs'
  | 'explaining the query'

/**
 * Work in small steps. After each step, of about a millisecond at most, it yields what the step did.
 * It returns its result. `Scheduler.run` runs it.
 */
export type Work<Result> = Generator<Activity, Result, void>

/** Runs work to its end, at once. */
export function runToEnd<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
