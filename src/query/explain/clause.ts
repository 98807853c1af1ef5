import type { Json } from '../../json/json.js'
import type { MatchTarget } from '../selector/ast.js'

/** A condition of a query as it was written: of one operator, or a combination of others. */
export type Clause = LeafClause | GroupClause

/** What the explanation of a clause names. */
export interface ClauseSource {
  /** The path as it stands in the query; undefined for a condition of a whole item or value. */
  readonly path?: string | undefined
  readonly operator: string
  readonly operand?: Json | undefined
  /** Describes what the condition meets in an item. */
  readonly find?: ((value: Json) => Found) | undefined
}

/** A condition that is tested as a whole, by the predicate that a list uses. */
export interface LeafClause extends ClauseSource {
  /**
   * @throws QueryInvalid or BoundExceeded if an `$expr` can't be evaluated for the item; a
   * TimeoutError where `isCostly`
   */
  readonly test: (value: Json) => boolean
  /** Whether the test may take long, so that it must run with a timeout. */
  readonly isCostly: boolean
  /** The clauses of the elements that an `$elemMatch` tests. */
  readonly elements?: ElementClauses
}

/** The clauses that one element of an array has to match. */
export interface ElementClauses {
  readonly target: MatchTarget
  readonly clauses: readonly Clause[]
  /** Returns the arrays that the path leads to, at most ten. */
  readonly findArrays: (value: Json) => readonly (readonly Json[])[]
}

/** A combination of clauses. It matches if all, some, none or not all of them do. */
export interface GroupClause extends ClauseSource {
  readonly combine: 'every' | 'some' | 'none' | 'notEvery'
  readonly clauses: readonly Clause[]
}

/** What a path leads to in an item. */
export interface Found {
  /** The values in words: `3.867`, `14, 8`, `missing`; `nothing` for an array without objects. */
  readonly text: string
  /** The values, if they are few and small. A missing one is left out. */
  readonly values?: readonly Json[]
}

/** Whether a value matches a clause; null if an `$expr` can't be evaluated for it. */
export type Verdict = boolean | null

/** Returns the verdict of a combination by the verdicts of its clauses. */
export function combineVerdicts(
  combine: GroupClause['combine'],
  verdicts: readonly Verdict[],
): Verdict {
  if (combine === 'none') return negate(combineVerdicts('some', verdicts))
  if (combine === 'notEvery') return negate(combineVerdicts('every', verdicts))
  const decisive = combine === 'some'
  if (verdicts.includes(decisive)) return decisive
  return verdicts.includes(null) ? null : !decisive
}

const negate = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict)
