import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'

/** MongoDB's names of types by their numbers (https://www.mongodb.com/docs/manual/reference/bson-types/). */
const namesByNumber = new Map<number, string>([
  [1, 'double'],
  [2, 'string'],
  [3, 'object'],
  [4, 'array'],
  [5, 'binData'],
  [6, 'undefined'],
  [7, 'objectId'],
  [8, 'bool'],
  [9, 'date'],
  [10, 'null'],
  [11, 'regex'],
  [12, 'dbPointer'],
  [13, 'javascript'],
  [14, 'symbol'],
  [15, 'javascriptWithScope'],
  [16, 'int'],
  [17, 'timestamp'],
  [18, 'long'],
  [19, 'decimal'],
  [-1, 'minKey'],
  [127, 'maxKey'],
])
const names = new Set(['number', ...namesByNumber.values()])

/**
 * The operand of `$type` as a list of names: a name, a number, or a list of one or more of them
 * (https://www.mongodb.com/docs/manual/reference/operator/query/type/).
 */
export function typeNames(operand: Json, place: InputPath): readonly string[] {
  if (!Array.isArray(operand)) return [typeName(operand, place)]
  if (operand.length === 0) throw place.error('must name at least one type, not []')
  return (operand as readonly Json[]).map((entry, index) => typeName(entry, place.child(index)))
}

function typeName(value: Json, place: InputPath): string {
  const name = typeof value === 'number' ? namesByNumber.get(value) : value
  if (typeof name === 'string' && names.has(name)) return name
  throw place.error(`must be the name or number of a BSON type ("string", 2), not ${quote(value)}`)
}

/** Whether a value has one of the types. */
export const hasType = (value: Json | undefined, wanted: readonly string[]): boolean =>
  value !== undefined &&
  (wanted.includes(typeOf(value)) || (typeof value === 'number' && wanted.includes('number')))

/**
 * The type that a value has once it is imported from JSON: a whole number is an `int`, or a `long`
 * where 32 bits do not hold it; any other number is a `double`. JSON cannot tell 1 from 1.0.
 */
function typeOf(value: Json): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'number':
      if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return 'double'
      return value >= -(2 ** 31) && value < 2 ** 31 ? 'int' : 'long'
    default:
      if (value === null) return 'null'
      return Array.isArray(value) ? 'array' : 'object'
  }
}
