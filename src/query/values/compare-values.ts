import type { Json, JsonObject } from '../../json/json.js'

/**
 * MongoDB's order of two values (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/):
 * below 0, 0 or above 0. The types come in the order missing (`undefined`, also the sort key of an
 * empty array), null, number, string, object, array, boolean; within a type:
 * - strings by their UTF-8 bytes (the simple collation), which is the order of code points;
 * - objects field by field in stored order: first the types, then the names, then the values, and
 *   the one that ends first is the smaller;
 * - arrays element by element, the shorter first.
 */
export function compareValues(a: Json | undefined, b: Json | undefined): number {
  if (a === b) return 0
  const rank = typeRank(a)
  const other = typeRank(b)
  if (rank !== other) return rank - other
  if (typeof a === 'string') return compareStrings(a, b as string)
  if (Array.isArray(a)) return compareArrays(a, b as readonly Json[])
  if (typeof a === 'object') return compareObjects(a as JsonObject, b as JsonObject)
  // Numbers and booleans; 0 and -0 are equal.
  return Number(a) - Number(b)
}

/** Whether two values are equal in MongoDB's order: the order of an object's fields counts. */
export const equalValues = (a: Json, b: Json): boolean => a === b || compareValues(a, b) === 0

/** The place of a value's type in MongoDB's order of types; equal for values that are compared. */
export function typeRank(value: Json | undefined): number {
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
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return codePointRank(left) - codePointRank(right)
  }
  return a.length - b.length
}

// UTF-16 puts surrogates (code points above U+FFFF) below U+E000 to U+FFFF; UTF-8 puts them above.
const codePointRank = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

function compareArrays(a: readonly Json[], b: readonly Json[]): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const order = compareValues(a[at], b[at])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const names = Object.keys(a)
  const others = Object.keys(b)
  const length = Math.min(names.length, others.length)
  for (let at = 0; at < length; at += 1) {
    const name = names[at] as string
    const other = others[at] as string
    const order =
      typeRank(a[name]) - typeRank(b[other]) ||
      compareStrings(name, other) ||
      compareValues(a[name], b[other])
    if (order !== 0) return order
  }
  return names.length - others.length
}
