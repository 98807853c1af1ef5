import type { InputPath } from '../json/input-path.js'
import type { Json } from '../json/json.js'
import { quote } from '../json/quote.js'
import type { ArrayMatching, CandidateTest } from './values/compile-path.js'

/**
 * A condition of a query, as it is parsed: one test, or a combination of conditions. It keeps the
 * operator, the path and the operand that stand in the query, so that the same tree is matched,
 * explained, described and planned.
 */
export type Condition = FieldTest | ItemTest | Combination

/** What stands in the query. */
interface Written {
  /** Undefined for a condition of a whole item, and for one of an element in `$elemMatch`. */
  readonly path?: string | undefined
  readonly operator: string
  readonly operand?: Json | undefined
}

/** A condition that is tested as a whole. */
interface Test extends Written {
  /**
   * An upper bound on the ways in which its regular expressions can match at one position, which is
   * the cost of matching one character; 1 without any.
   */
  readonly cost: number
}

/** One operator on one field. */
export interface FieldTest extends Test {
  readonly kind: 'field'
  /** Compiles the test of a candidate, a value that the path leads to. */
  readonly compile: () => CandidateTest
  readonly arrays: ArrayMatching
  /** Whether it holds if no candidate passes, as `$ne` does. */
  readonly isNegated: boolean
  /** Whether an index can find the items. */
  readonly isIndexable: boolean
  /** The conditions that one element of an array must meet, for `$elemMatch`. */
  readonly elements?: ElementQuery
}

/** The conditions of an `$elemMatch`: of objects, by paths, or of the elements themselves. */
export interface ElementQuery {
  readonly target: 'object' | 'value'
  readonly conditions: readonly Condition[]
}

/** A condition of a whole item, such as `$expr`. */
export interface ItemTest extends Test {
  readonly kind: 'item'
  /** @throws QueryInvalid or BoundExceeded if an `$expr` can't be evaluated for the item */
  readonly matches: (item: Json) => boolean
  /** Whether MongoDB allows it in queries only, and not with the positional `$`. */
  readonly isQueryOnly?: boolean
  /** Returns the same condition as a combination of smaller ones, for an explanation. */
  readonly split?: () => Combination
  /** Returns the operands that it computes from the item, with their values. */
  readonly readOperands?: (item: Json) => readonly ComputedOperand[]
}

/** An operand of an `$expr` as it stands in the query, and its value for an item. */
export interface ComputedOperand {
  readonly operand: Json
  /** Undefined for a missing value. */
  readonly value: Json | undefined
}

/** Conditions of which all, some, none or not all must hold. */
export interface Combination extends Written {
  readonly kind: 'combination'
  readonly combine: 'every' | 'some' | 'none' | 'notEvery'
  readonly conditions: readonly Condition[]
}

/** Returns conditions that together are the same as one, of which none is an `every`. */
export const splitConjunction = (condition: Condition): readonly Condition[] =>
  condition.kind === 'combination' && condition.combine === 'every'
    ? condition.conditions.flatMap(splitConjunction)
    : [condition]

/** Returns the conditions that a condition consists of. */
const getInner = (condition: Condition): readonly Condition[] =>
  condition.kind === 'combination'
    ? condition.conditions
    : condition.kind === 'field'
      ? (condition.elements?.conditions ?? [])
      : []

/** Finds an operator that MongoDB allows in queries only. */
export function findQueryOnlyOperator(conditions: readonly Condition[]): string | undefined {
  for (const condition of conditions) {
    if (condition.kind === 'item' && condition.isQueryOnly === true) return condition.operator
    const found = findQueryOnlyOperator(getInner(condition))
    if (found !== undefined) return found
  }
  return undefined
}

/** @throws the path's error for an operator that MongoDB allows in queries only */
export function refuseQueryOnly(conditions: readonly Condition[], path: InputPath): void {
  const operator = findQueryOnlyOperator(conditions)
  if (operator !== undefined) throw path.error(`must not use ${operator}`)
}

/**
 * The cost of conditions that match the largest item, an array of half a million numbers, without a
 * timeout: that takes about 60 ms (measured).
 */
const MAX_COST_WITHOUT_TIMEOUT = 8

/** Whether tests of this cost can take long on one item. */
export const needsTimeout = (cost: number): boolean => cost > MAX_COST_WITHOUT_TIMEOUT

/** Returns the cost of all tests together, also of those of elements. */
export const sumCosts = (conditions: readonly Condition[]): number =>
  conditions.reduce(
    (sum, condition) =>
      sum + (condition.kind === 'combination' ? 0 : condition.cost) + sumCosts(getInner(condition)),
    0,
  )

/** The number of characters of a description. */
const MAX_DESCRIPTION = 200

/**
 * Describes the conditions of a query, all of which must hold, without their operands:
 * `lattice.a $gt`, `$jsonSchema`, `not (tags $in)`, `(n $eq or $expr)`.
 */
export const describeConditions = (conditions: readonly Condition[]): readonly string[] =>
  conditions.flatMap(splitConjunction).map(describe).map(shorten)

function describe(condition: Condition): string {
  const { path, operator } = condition
  if (condition.kind !== 'combination')
    return path === undefined ? operator : `${describePath(path)} ${operator}`
  const { combine, conditions } = condition
  const isNegated = combine === 'none' || combine === 'notEvery'
  const parts = combine === 'notEvery' ? [describeAll(conditions)] : conditions.map(describeBranch)
  return `${isNegated ? 'not ' : ''}(${parts.join(' or ')})`
}

const describeBranch = (condition: Condition): string => describeAll(splitConjunction(condition))

const describeAll = (conditions: readonly Condition[]): string =>
  conditions.length === 0
    ? '$alwaysTrue'
    : conditions.flatMap(splitConjunction).map(describe).join(' and ')

/** Returns a path, quoted if it has spaces, quotes or parentheses. */
export const describePath = (path: string): string =>
  /^[^\s"()]+$/.test(path) ? path : quote(path)

const shorten = (text: string): string =>
  text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text
