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

/** Waits until there is memory for what work is about to hold, if that is much. It does so once. */
export function* needMemory(bytes: number, keep?: MemoryNeed['keep']): Work<void> {
  if (bytes >= MIN_NEED) yield { bytes, ...(keep && { keep }) }
}

/**
 * Work in small steps. After each step, of about a millisecond at most, it yields what the step did,
 * or the memory that it needs for the next ones. It returns its result. `Scheduler.run` runs it.
 */
export type Work<Result> = Generator<Activity | MemoryNeed, Result, void>

/** Returns steps that yield nothing as work. Each of them does the same. */
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
