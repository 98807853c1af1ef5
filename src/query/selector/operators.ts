import type { Json } from '../../json/json.js'
import { matchPattern } from '../run-pattern.js'
import { hasType } from '../values/bson-types.js'
import { compareValues, equalValues, getTypeRank } from '../values/compare-values.js'
import type { ArrayMatching, CandidateTest } from '../values/compile-path.js'
import { compileBitsClear, compileBitsSet, isInt64 } from './bits.js'
import type { Bits } from './bits.js'

/** An operator of a field. */
export interface Operator<Operand> {
  readonly arrays: ArrayMatching
  /** Compiles a parsed operand into the test of one candidate. */
  readonly compile: (operand: Operand) => CandidateTest
}

const onElements = <Operand>(compile: Operator<Operand>['compile']): Operator<Operand> => ({
  arrays: 'elements',
  compile,
})

/** Creates an operator that matches whole arrays. */
export const onArray = <Operand>(compile: Operator<Operand>['compile']): Operator<Operand> => ({
  arrays: 'array',
  compile,
})

/**
 * The operators that `parse-selector.ts` produces, as MongoDB defines them
 * (https://www.mongodb.com/docs/manual/reference/operator/query/). `$elemMatch` is in
 * `compile-expressions.ts`.
 */
export const OPERATORS = {
  $eq: onElements<Json>(compileEq),
  $in: onElements<readonly Json[]>(compileIn),
  $gt: onElements<Json>((operand) => compileComparison(operand, (order) => order > 0)),
  $gte: onElements<Json>((operand) => compileComparison(operand, (order) => order >= 0)),
  $lt: onElements<Json>((operand) => compileComparison(operand, (order) => order < 0)),
  $lte: onElements<Json>((operand) => compileComparison(operand, (order) => order <= 0)),
  $exists: onElements(() => (value) => value !== undefined),
  $type: onElements<readonly string[]>((types) => (value) => hasType(value, types)),
  $mod: onElements<readonly [number, number]>(compileMod),
  $regex: onElements<RegExp>(
    (expression) => (value) =>
      typeof value === 'string' && matchPattern(() => expression.test(value)),
  ),
  $bitsAllSet: onElements<Bits>((mask) => compileBitsSet(mask, 'all')),
  $bitsAnySet: onElements<Bits>((mask) => compileBitsSet(mask, 'any')),
  $bitsAllClear: onElements<Bits>((mask) => compileBitsClear(mask, 'all')),
  $bitsAnyClear: onElements<Bits>((mask) => compileBitsClear(mask, 'any')),
  $size: onArray<number>((size) => (value) => Array.isArray(value) && value.length === size),
}

/** Null also equals a missing field. Values of different types are never equal. */
function compileEq(operand: Json): CandidateTest {
  if (operand === null) return (value) => value === undefined || value === null
  if (typeof operand !== 'object') return (value) => value === operand
  return (value) => value !== undefined && equalValues(value, operand)
}

function compileIn(operand: readonly Json[]): CandidateTest {
  const scalars = new Set<Json | undefined>(operand.filter((entry) => typeof entry !== 'object'))
  const others = operand.filter((entry) => typeof entry === 'object').map(compileEq)
  return (value) => scalars.has(value) || others.some((test) => test(value))
}

/**
 * Compares values of the operand's type only, as MongoDB's "type bracketing" requires. A missing
 * field counts as null.
 */
function compileComparison(operand: Json, isMatch: (order: number) => boolean): CandidateTest {
  if (operand === null) return (value) => (value === undefined || value === null) && isMatch(0)
  const rank = getTypeRank(operand)
  return (value) => getTypeRank(value) === rank && isMatch(compareValues(value, operand))
}

/** Truncates the value. The remainder has the value's sign, as in C. */
function compileMod([divisor, remainder]: readonly [number, number]): CandidateTest {
  return (value) => {
    if (typeof value !== 'number') return false
    const integer = Math.trunc(value)
    return isInt64(integer) && integer % divisor === remainder
  }
}
