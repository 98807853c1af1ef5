import { quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import type { ArrayMatching, CandidateTest } from './values/compile-path.js'

/**
 * Keeps operator, path and operand, so that one tree is matched, explained, described and planned.
 */
export type Condition = FieldTest | ItemTest | Combination

interface Written {
  /** Undefined for a condition of a whole item, and for a condition of an element in `$elemMatch`. */
  readonly path?: string | undefined
  readonly operator: string
  readonly operand?: Json | undefined
}

interface Test extends Written {
  /** Of the ways in which its regular expressions match at one position; 1 without any. */
  readonly cost: number
}

export interface FieldTest extends Test {
  readonly kind: 'field'
  /** Compiles the test of a candidate: a value at the path. */
  readonly compile: () => CandidateTest
  readonly arrays: ArrayMatching
  /** Whether the condition holds if no candidate passes, as for `$ne`. */
  readonly isNegated: boolean
  /** Whether an index can find the items. */
  readonly isIndexable: boolean
  readonly elements?: ElementQuery
}

/** The conditions of an `$elemMatch`: on paths of objects, or on the elements themselves. */
export interface ElementQuery {
  readonly target: 'object' | 'value'
  readonly conditions: readonly Condition[]
}

/** A condition of a whole item, such as `$expr`. */
export interface ItemTest extends Test {
  readonly kind: 'item'
  /** @throws QueryInvalid or BoundExceeded if an `$expr` can't be evaluated for the item */
  readonly matches: (item: Json) => boolean
  /** Whether MongoDB allows the operator only in queries, and not with the positional `$`. */
  readonly isQueryOnly?: boolean
  /** Returns the condition as a combination of smaller conditions, for an explanation. */
  readonly split?: () => Combination
  /** Returns the operands that the condition computes from the item, with their values. */
  readonly readOperands?: (item: Json) => readonly ComputedOperand[]
}

export interface ComputedOperand {
  readonly operand: Json
  /** Undefined for a missing value. */
  readonly value: Json | undefined
}

/** A combination of conditions: all, some, none or not all of them must hold. */
export interface Combination extends Written {
  readonly kind: 'combination'
  readonly combine: 'every' | 'some' | 'none' | 'notEvery'
  readonly conditions: readonly Condition[]
}

/** Splits conditions that must all hold: none of those returned is an `every`. */
export function splitConjunctions(conditions: readonly Condition[]): readonly Condition[] {
  const split: Condition[] = []
  for (const condition of conditions) {
    const isEvery = condition.kind === 'combination' && condition.combine === 'every'
    const parts = isEvery ? splitConjunctions(condition.conditions) : [condition]
    for (const part of parts) split.push(part)
  }
  return split
}

const getInner = (condition: Condition): readonly Condition[] =>
  condition.kind === 'combination'
    ? condition.conditions
    : condition.kind === 'field'
      ? (condition.elements?.conditions ?? [])
      : []

/** A condition at any depth of a query, with the whole path of its field. */
export interface PlacedCondition {
  readonly condition: Condition
  /** Undefined for a condition of a whole item, and for a combination of conditions on several fields. */
  readonly path: string | undefined
}

/**
 * Lists all conditions of a query, each before those that it consists of.
 * @param parent the path of the array whose elements the conditions are about
 */
export function listConditions(
  conditions: readonly Condition[],
  parent?: string,
): readonly PlacedCondition[] {
  const listed: PlacedCondition[] = []
  for (const condition of conditions) {
    const path = joinPaths(parent, condition.path)
    listed.push({ condition, path })
    const inner = listConditions(getInner(condition), condition.kind === 'field' ? path : parent)
    for (const each of inner) listed.push(each)
  }
  return listed
}

const joinPaths = (parent: string | undefined, path: string | undefined): string | undefined =>
  parent === undefined || path === undefined ? (path ?? parent) : `${parent}.${path}`

/** Whether a condition has an `$expr`, which can fail on an item. */
function hasExpr(condition: Condition): boolean {
  for (const each of listConditions([condition]))
    if (each.condition.operator === '$expr') return true
  return false
}

/** Returns how late a condition is tested: an `$expr` last, after patterns that can take too long. */
const rankTest = (condition: Condition): number =>
  hasExpr(condition) ? 2 : needsTimeout(sumCosts([condition])) ? 1 : 0

/**
 * Those that can fail on an item come last, as in MongoDB, so that it does not matter whether an
 * index has met some of the others.
 */
export const orderTests = (conditions: readonly Condition[]): readonly Condition[] =>
  [0, 1, 2].flatMap((rank) => conditions.filter((each) => rankTest(each) === rank))

/** Finds an operator that MongoDB allows only in queries. */
export function findQueryOnlyOperator(conditions: readonly Condition[]): string | undefined {
  for (const { condition } of listConditions(conditions))
    if (condition.kind === 'item' && condition.isQueryOnly === true) return condition.operator
  return undefined
}

/** @throws the path's error for an operator that MongoDB allows only in queries */
export function refuseQueryOnly(conditions: readonly Condition[], path: InputPath): void {
  const operator = findQueryOnlyOperator(conditions)
  if (operator !== undefined) throw path.error(`must not use ${operator}`)
}

/** They take about 60 ms for the largest item, an array of half a million numbers (measured). */
const MAX_COST_WITHOUT_TIMEOUT = 8

/** The cost of a test that converts a value to text. */
export const TEXT_COST = 10

/** Whether tests of this cost can take long on one item. */
export const needsTimeout = (cost: number): boolean => cost > MAX_COST_WITHOUT_TIMEOUT

/** Returns the cost of all tests together, including the tests of elements. */
export function sumCosts(conditions: readonly Condition[]): number {
  let sum = 0
  for (const condition of conditions) {
    if (condition.kind !== 'combination') sum += condition.cost
    sum += sumCosts(getInner(condition))
  }
  return sum
}

/** The largest number of characters of a description. */
const MAX_DESCRIPTION = 200

/** Without operands: `lattice.a $gt`, `not (tags $in)`, `(n $eq or $expr)`. */
export const describeConditions = (conditions: readonly Condition[]): readonly string[] =>
  splitConjunctions(conditions).map(describe).map(shorten)

function describe(condition: Condition): string {
  const { path, operator } = condition
  if (condition.kind !== 'combination')
    return path === undefined ? operator : `${describePath(path)} ${operator}`
  const { combine, conditions } = condition
  const isNegated = combine === 'none' || combine === 'notEvery'
  const parts = combine === 'notEvery' ? [describeAll(conditions)] : conditions.map(describeBranch)
  return `${isNegated ? 'not ' : ''}(${parts.join(' or ')})`
}

const describeBranch = (condition: Condition): string => describeAll([condition])

const describeAll = (conditions: readonly Condition[]): string =>
  conditions.length === 0
    ? '$alwaysTrue'
    : splitConjunctions(conditions).map(describe).join(' and ')

export const describePath = (path: string): string =>
  /^[^\s"()]+$/.test(path) ? path : quote(path)

const shorten = (text: string): string =>
  text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text
