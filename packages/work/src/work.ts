/** The activity of a step of work, for the message when the time is used up. */
export type Activity =
  | 'reading fixtures'
  | 'parsing the body'
  | 'parsing the parameters'
  | 'compiling the query'
  | 'creating an index'
  | 'scanning items'
  | 'matching patterns'
  | 'matching conditions'
  | 'sorting items'
  | 'reading the journal'
  | 'writing the response'
  | 'saving the state'
  | 'restoring the state'
  | 'finishing jobs'
  | 'explaining the query'

/**
 * Work yields this before it holds much memory, and before it reads data that writes change. It
 * continues when it is one of the few tasks that may do so at the same time.
 */
export const LARGE_TURN = Symbol('a turn for large work')

/**
 * Work in small steps of about a millisecond at most. After each step, the work yields what the step did, that it
 * needs a turn for large work, or a promise to wait for. `Scheduler.run` runs the work and returns its result.
 */
export type Work<Result> = Generator<Activity | typeof LARGE_TURN | Promise<void>, Result, void>

/** Turns steps that yield nothing into work. All steps have the same activity. */
export function* toWork<Result>(
  steps: Generator<void, Result, void>,
  activity: Activity,
): Work<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield activity
  }
}

/** Runs work to its end, at once. */
export function runToEnd<Result>(work: Generator<unknown, Result, void>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
