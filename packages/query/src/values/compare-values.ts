import { Double, isNumeric } from './value.js'
import type { NumericValue, Value, ValueObject } from './value.js'

/** Counts the work of a comparison, and throws if it is too much. */
export interface Meter {
  spend(steps: number): void
  /** Counts the steps of reading a text of so many characters. */
  spendText(length: number): void
  checkLevel(level: number): void
}

/**
 * Compares two values in MongoDB's order (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/).
 * Returns a number below 0 if `a` comes first, 0 if they are equal, else a number above 0. The types are in the order
 * undefined (a missing field, or the sort key of an empty array), null, number, string, object, array, boolean.
 * Values of one type are compared as follows:
 * - numbers of all types by value, NaN before all others;
 * - strings by their UTF-8 bytes (the simple collation), which is the order of code points;
 * - objects field by field in stored order, each by type, then name, then value; if one has no more
 *   fields, it comes first;
 * - arrays element by element; if one has no more elements, it comes first.
 * @param meter counts the work for values of expressions, which have no limits of their own
 */
export function compareValues(a: Value, b: Value, meter?: Meter, level = 0): number {
  if (a === b) return 0
  const rank = getTypeRank(a)
  const otherRank = getTypeRank(b)
  if (rank !== otherRank) return rank - otherRank
  if (typeof a === 'string') return compareTexts(a, b as string, meter)
  if (isNumeric(a)) return compareNumbers(a, b as NumericValue)
  // 0 equals -0, and null equals null.
  if (typeof a !== 'object') return Number(a) - Number(b)
  meter?.checkLevel(level)
  return Array.isArray(a)
    ? compareArrays(a, b as readonly Value[], meter, level)
    : compareObjects(a as ValueObject, b as ValueObject, meter, level)
}

/** Whether two values are equal in MongoDB's order. The order of an object's fields counts. */
export const equalValues = (a: Value, b: Value, meter?: Meter): boolean =>
  compareValues(a, b, meter) === 0

/** Returns the rank of a value's type in MongoDB's order of types. */
export function getTypeRank(value: Value): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 2
    case 'string':
      return 3
    case 'boolean':
      return 6
    case 'undefined':
      return 0
    default:
      if (value === null) return 1
      if (Array.isArray(value)) return 5
      return value instanceof Double ? 2 : 4
  }
}

function compareNumbers(a: NumericValue, b: NumericValue): number {
  // `<` compares a bigint and a number exactly.
  const left = a instanceof Double ? a.value : a
  const right = b instanceof Double ? b.value : b
  if (left < right) return -1
  if (left > right) return 1
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left))
}

/** Compares strings by their UTF-8 bytes. */
export function compareTexts(a: string, b: string, meter?: Meter): number {
  const length = Math.min(a.length, b.length)
  meter?.spendText(length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return toCodePointOrder(left) - toCodePointOrder(right)
  }
  return a.length - b.length
}

// UTF-16 sorts surrogates, of code points above U+FFFF, before U+E000 to U+FFFF; UTF-8 sorts them after.
const toCodePointOrder = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

function compareArrays(
  a: readonly Value[],
  b: readonly Value[],
  meter: Meter | undefined,
  level: number,
): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    meter?.spend(1)
    const order = compareValues(a[index], b[index], meter, level + 1)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareObjects(
  a: ValueObject,
  b: ValueObject,
  meter: Meter | undefined,
  level: number,
): number {
  const names = Object.keys(a)
  const otherNames = Object.keys(b)
  meter?.spend((names.length + otherNames.length) >> 2)
  const length = Math.min(names.length, otherNames.length)
  for (let index = 0; index < length; index += 1) {
    meter?.spend(1)
    const name = names[index]!
    const otherName = otherNames[index]!
    const order =
      getTypeRank(a[name]) - getTypeRank(b[otherName]) ||
      compareTexts(name, otherName) ||
      compareValues(a[name], b[otherName], meter, level + 1)
    if (order !== 0) return order
  }
  return names.length - otherNames.length
}
