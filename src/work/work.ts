/** What a step of work does, for the message when the time is used up. */
export type Activity =
  'creating an index' | 'scanning items' | 'reading the journal' | 'writing the response'

/**
 * Work in small steps. After each step, of about a millisecond at most, it yields what the step did.
 * It returns its result. `Scheduler.run` runs it.
 */
export type Work<Result> = Generator<Activity, Result, void>

/** Returns work of one step, for what can't be done in parts. */
export function* toWork<Result>(run: () => Result): Work<Result> {
  yield* []
  return run()
}

/** Runs work to its end, at once. */
export function runToEnd<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
