import type { Json, JsonObject } from '../../json/json.js'

/**
 * Compares two values in MongoDB's order
 * (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/). Returns a number
 * below 0 if `a` comes first, 0 if they are equal, else a number above 0. The types are in the order
 * undefined (a missing field, or the sort key of an empty array), null, number, string, object,
 * array, boolean. Values of one type are compared as follows:
 * - strings by their UTF-8 bytes (the simple collation), which is the order of code points;
 * - objects field by field in stored order, each by type, then name, then value; if one has no more
 *   fields, it comes first;
 * - arrays element by element; if one has no more elements, it comes first.
 */
export function compareValues(a: Json | undefined, b: Json | undefined): number {
  if (a === b) return 0
  const rank = getTypeRank(a)
  const otherRank = getTypeRank(b)
  if (rank !== otherRank) return rank - otherRank
  if (typeof a === 'string') return compareStrings(a, b as string)
  if (Array.isArray(a)) return compareArrays(a, b as readonly Json[])
  if (typeof a === 'object') return compareObjects(a as JsonObject, b as JsonObject)
  // Numbers and booleans remain; 0 and -0 are equal.
  return Number(a) - Number(b)
}

/** Whether two values are equal in MongoDB's order. The order of an object's fields counts. */
export const equalValues = (a: Json, b: Json): boolean => a === b || compareValues(a, b) === 0

/** Returns the rank of a value's type in MongoDB's order of types. */
export function getTypeRank(value: Json | undefined): number {
  switch (typeof value) {
    case 'number':
      return 2
    case 'string':
      return 3
    case 'boolean':
      return 6
    case 'undefined':
      return 0
    default:
      if (value === null) return 1
      return Array.isArray(value) ? 5 : 4
  }
}

function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return toCodePointOrder(left) - toCodePointOrder(right)
  }
  return a.length - b.length
}

// UTF-16 sorts surrogates, of code points above U+FFFF, before U+E000 to U+FFFF; UTF-8 sorts them
// after.
const toCodePointOrder = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

function compareArrays(a: readonly Json[], b: readonly Json[]): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const order = compareValues(a[index], b[index])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const names = Object.keys(a)
  const otherNames = Object.keys(b)
  const length = Math.min(names.length, otherNames.length)
  for (let index = 0; index < length; index += 1) {
    const name = names[index] as string
    const otherName = otherNames[index] as string
    const order =
      getTypeRank(a[name]) - getTypeRank(b[otherName]) ||
      compareStrings(name, otherName) ||
      compareValues(a[name], b[otherName])
    if (order !== 0) return order
  }
  return names.length - otherNames.length
}
