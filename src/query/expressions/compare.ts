import { compareValues } from '../values/compare-values.js'
import { toComparable } from './numbers.js'
import type { Scope } from './scope.js'
import { Double, isNumeric } from './value.js'
import type { NumericValue, Value, ValueObject } from './value.js'

/**
 * Compares two values in MongoDB's order, as `compareValues` does for JSON. A missing value comes
 * before null, NaN before all numbers, and numbers of different types are compared by value.
 * @throws BoundExceeded for values that are too large or too deep
 */
export function compare(a: Value, b: Value, scope: Scope, level = 0): number {
  if (a === b) return 0
  const rank = getRank(a)
  const otherRank = getRank(b)
  if (rank !== otherRank) return rank - otherRank
  if (typeof a === 'string') return compareTexts(a, b as string, scope)
  if (isNumeric(a)) return compareNumbers(a, b as NumericValue)
  if (typeof a !== 'object') return Number(a) - Number(b)
  scope.checkLevel(level)
  return Array.isArray(a)
    ? compareArrays(a, b as readonly Value[], scope, level)
    : compareObjects(a as ValueObject, b as ValueObject, scope, level)
}

/** Whether two values are equal in MongoDB's order. */
export const isEqual = (a: Value, b: Value, scope: Scope): boolean => compare(a, b, scope) === 0

/** Compares strings by their UTF-8 bytes. */
export function compareTexts(a: string, b: string, scope: Scope): number {
  scope.spendText(Math.min(a.length, b.length))
  return compareValues(a, b)
}

function getRank(value: Value): number {
  switch (typeof value) {
    case 'undefined':
      return 0
    case 'number':
    case 'bigint':
      return 2
    case 'string':
      return 3
    case 'boolean':
      return 6
    default:
      if (value === null) return 1
      if (value instanceof Double) return 2
      return Array.isArray(value) ? 5 : 4
  }
}

function compareNumbers(a: NumericValue, b: NumericValue): number {
  const left = toComparable(a)
  const right = toComparable(b)
  if (left < right) return -1
  if (left > right) return 1
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left))
}

function compareArrays(
  a: readonly Value[],
  b: readonly Value[],
  scope: Scope,
  level: number,
): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    scope.spend(1)
    const order = compare(a[index], b[index], scope, level + 1)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Compares field by field in stored order, each by type, then name, then value. */
function compareObjects(a: ValueObject, b: ValueObject, scope: Scope, level: number): number {
  const names = Object.keys(a)
  const otherNames = Object.keys(b)
  scope.spend((names.length + otherNames.length) >> 2)
  const length = Math.min(names.length, otherNames.length)
  for (let index = 0; index < length; index += 1) {
    scope.spend(1)
    const name = names[index] as string
    const otherName = otherNames[index] as string
    const order =
      getRank(a[name]) - getRank(b[otherName]) ||
      compareValues(name, otherName) ||
      compare(a[name], b[otherName], scope, level + 1)
    if (order !== 0) return order
  }
  return names.length - otherNames.length
}
