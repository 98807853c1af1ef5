import type { Json } from '@materials-mock/json'
import type { Combination } from '../condition.js'

/** One condition as written in a query, and whether an item matches it. */
export interface ClauseExplanation {
  /** The path, or the property of a `$jsonSchema`; missing for a condition of a whole item or value. */
  readonly path?: string
  readonly operator: string
  readonly operand?: Json
  /** Null if an `$expr` can't be evaluated for the item. */
  readonly matches: Verdict
  /** The values that the condition found in the item, in words: `"Si"`, `14, 8`, `missing`. */
  readonly found?: string
  /** The values at the path, if they are few and small. Missing values are left out. */
  readonly values?: readonly Json[]
  /** The reason why an `$expr` can't be evaluated for the item. */
  readonly error?: string
  /** The conditions of a combination. */
  readonly clauses?: readonly ClauseExplanation[]
  /** The element that matches an `$elemMatch`, or the closest elements. */
  readonly elements?: readonly ElementExplanation[]
}

/** An element of an array, and whether it matches an `$elemMatch`. */
export interface ElementExplanation {
  /** The number of the array, from 0, if the path leads to several arrays. */
  readonly array?: number
  readonly position: number
  readonly matches: Verdict
  readonly clauses: readonly ClauseExplanation[]
}

/** Whether a value meets a condition; null if an `$expr` can't be evaluated for the value. */
export type Verdict = boolean | null

export function combineVerdicts(
  combine: Combination['combine'],
  verdicts: readonly Verdict[],
): Verdict {
  if (combine === 'none') return negate(combineVerdicts('some', verdicts))
  if (combine === 'notEvery') return negate(combineVerdicts('every', verdicts))
  const decisive = combine === 'some'
  if (verdicts.includes(decisive)) return decisive
  return verdicts.includes(null) ? null : !decisive
}

const negate = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict)
