import { isJsonArray, quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import { getTypeName } from './value.js'

/** The BSON types by their numbers (https://www.mongodb.com/docs/manual/reference/bson-types/). */
const TYPES_BY_NUMBER: ReadonlyMap<number, string> = new Map([
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

const TYPES: ReadonlySet<string> = new Set(['number', ...TYPES_BY_NUMBER.values()])

/**
 * Parses the operand of `$type`, a type or an array of types, each by name or number, into different names
 * (https://www.mongodb.com/docs/manual/reference/operator/query/type/).
 * @throws the path's error for an unknown type and for an empty array
 */
export function parseTypes(operand: Json, path: InputPath): readonly string[] {
  if (!isJsonArray(operand)) return [parseType(operand, path)]
  if (operand.length === 0) throw path.error('must name at least one type, not []')
  const types = operand.map((entry, index) => parseType(entry, path.child(index)))
  return [...new Set(types)]
}

function parseType(value: Json, path: InputPath): string {
  const name = typeof value === 'number' ? TYPES_BY_NUMBER.get(value) : value
  if (typeof name === 'string' && TYPES.has(name)) return name
  throw path.error(`must be the name or number of a BSON type ("string", 2), not ${quote(value)}`)
}

/** Whether a name is the name of a BSON type, or `number`. */
export const isBsonType = (name: string): boolean => TYPES.has(name)

/** Returns the name of the type with a number; 0 is the type of a missing value. */
export const getTypeByNumber = (number: number): string | undefined =>
  number === 0 ? 'missing' : TYPES_BY_NUMBER.get(number)

export const isTypeName = (name: unknown): boolean =>
  typeof name === 'string' && name !== 'number' && isBsonType(name)

/** Whether a value has one of the types. A missing value (undefined) has no type. */
export const hasType = (value: Json | undefined, types: readonly string[]): boolean =>
  types.includes(getTypeName(value)) || (typeof value === 'number' && types.includes('number'))
