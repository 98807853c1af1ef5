/** What a step of work does, for the message when the time is used up. */
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
  | 'creating the item'
  | 'writing the response'
  | 'saving the state'
  | 'restoring the state'
  | 'finishing jobs'
  | 'explaining the query'

/** Memory that work needs. It goes on when other work leaves that much. */
export interface MemoryNeed {
  readonly bytes: number
  /** Takes the function that gives the memory back (default: that is done when the work is complete). */
  readonly keep?: (giveBack: () => void) => void
}

/** Less memory than this, in bytes, is not worth waiting for. */
const MIN_NEED = 1024 * 1024

/** Waits once until the memory that the work needs is free. A need below `MIN_NEED` does not wait. */
export function* needMemory(bytes: number, keep?: MemoryNeed['keep']): Work<void> {
  if (bytes >= MIN_NEED) yield { bytes, ...(keep && { keep }) }
}

/**
 * Work in small steps of about a millisecond at most. After each step, the work yields what the step
 * did, or the memory that the next steps need. `Scheduler.run` runs the work and returns its result.
 */
export type Work<Result> = Generator<Activity | MemoryNeed, Result, void>

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

/** Runs work to its end, at once, whatever memory it needs. */
export function runToEnd<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
