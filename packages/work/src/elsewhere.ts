import type { Work } from './work.js'

/** Computes a result outside of this thread. It never rejects. */
export type Elsewhere = (input: string) => Promise<unknown>

/** Says that a step needs a result that takes too long to compute in it. */
class ResultNeeded extends Error {
  readonly input: string

  constructor(input: string) {
    super('a step must wait for a result')
    this.input = input
  }
}

/** The results, by their inputs, of the step that runs; undefined if it can't wait for any. */
let resultsOfStep: ReadonlyMap<string, unknown> | undefined

/**
 * Returns a result that takes long: one that was computed elsewhere if the step that runs can wait for it, or else one
 * computed here. The step ends, and runs again when there is a result, so it must not have changed anything yet.
 */
export function findResult<Result>(input: string, computeHere: () => Result): Result {
  if (resultsOfStep === undefined) return computeHere()
  if (!resultsOfStep.has(input)) throw new ResultNeeded(input)
  return resultsOfStep.get(input) as Result
}

/**
 * In between, it holds nobody.
 * @param elsewhere undefined where there is only this thread
 */
export function* waitForResults<Result>(
  run: () => Result,
  elsewhere: Elsewhere | undefined,
  toWork: (run: () => Result) => Work<Result>,
): Work<Result> {
  if (elsewhere === undefined) return yield* toWork(run)
  const results = new Map<string, unknown>()
  for (;;) {
    try {
      return yield* toWork(() => runWithResults(run, results))
    } catch (error) {
      if (!(error instanceof ResultNeeded)) throw error
      const { input } = error
      yield elsewhere(input).then((result) => void results.set(input, result))
    }
  }
}

function runWithResults<Result>(run: () => Result, results: ReadonlyMap<string, unknown>): Result {
  const former = resultsOfStep
  resultsOfStep = results
  try {
    return run()
  } finally {
    resultsOfStep = former
  }
}
