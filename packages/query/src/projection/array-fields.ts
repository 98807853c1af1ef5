import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { FindArrayPosition } from '../selector/array-position.js'

export interface Slice {
  readonly path: readonly string[]
  /** The number of elements to skip; undefined for `{"$slice": limit}`, whose limit may be negative. */
  readonly skip: number | undefined
  readonly limit: number
}

/**
 * Parses the operand of a `$slice`: a limit, or `[skip, limit]`
 * (https://www.mongodb.com/docs/manual/reference/operator/projection/slice/).
 * @throws the input path's error for any other operand
 */
export function parseSlice(path: readonly string[], operand: Json, inputPath: InputPath): Slice {
  // MongoDB truncates the numbers.
  const numbers = (Array.isArray(operand) ? operand : [operand]).map(toInteger)
  const [limit, skip] = numbers.toReversed()
  const isValid = Array.isArray(operand) ? numbers.length === 2 && Number(limit) > 0 : true
  if (limit === undefined || !isValid || numbers.includes(undefined)) {
    throw inputPath.error(
      `must be a number or [skip, limit] with a limit above 0, not ${quote(operand)}`,
    )
  }
  return { path, skip, limit }
}

const toInteger = (value: Json): number | undefined =>
  typeof value === 'number' ? Math.trunc(value) : undefined

/**
 * Arrays on the path are traversed, but not arrays in them.
 * @param depth the names before the object
 */
export function applySlice(object: JsonObject, slice: Slice, depth = 0): JsonObject {
  const { path } = slice
  const name = path[depth]!
  if (!Object.hasOwn(object, name)) return object
  const field = object[name] as Json
  if (depth === path.length - 1)
    return Array.isArray(field) ? { ...object, [name]: cut(field, slice) } : object

  const applyInside = (value: Json): Json =>
    isJsonObject(value) ? applySlice(value, slice, depth + 1) : value
  return { ...object, [name]: Array.isArray(field) ? field.map(applyInside) : applyInside(field) }
}

function cut(array: readonly Json[], { skip, limit }: Slice): readonly Json[] {
  if (skip === undefined) return limit < 0 ? array.slice(limit) : array.slice(0, limit)
  const start = skip < 0 ? Math.max(0, array.length + skip) : skip
  return array.slice(start, start + limit)
}

/**
 * Such as `["$b", 2]`. One or two numbers are the `$slice` of `find`, which MongoDB tries first.
 */
export const isSliceExpression = (operand: Json): boolean =>
  Array.isArray(operand) && operand.some((entry) => typeof entry !== 'number')

export interface Positional {
  readonly path: readonly string[]
  readonly inputPath: InputPath
}

export const mayHavePositional = (fields: string): boolean => fields.includes('.$"')

/**
 * The first array on the path becomes the element where the query matched
 * (https://www.mongodb.com/docs/manual/reference/operator/projection/positional/).
 * @throws ProjectionInvalid for an array without a position
 */
export function applyPositional(
  projected: JsonObject,
  { path, inputPath }: Positional,
  item: JsonObject,
  findArrayPosition: FindArrayPosition,
): JsonObject {
  let object = projected
  for (const [depth, name] of path.entries()) {
    const field = Object.hasOwn(object, name) ? object[name] : undefined
    // MongoDB looks up a name after a scalar in the same object.
    if (isJsonObject(field)) object = field
    if (!isJsonArray(field)) continue
    const position = findArrayPosition(item)
    if (position === undefined)
      throw inputPath.error('must be used with a query that matches an element of an array')
    const element = field[position]
    if (element === undefined)
      throw inputPath.error(`must apply to an array with the position ${position} that was matched`)
    return setNested(projected, path.slice(0, depth + 1), [element])
  }
  return projected
}

function setNested(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name = '', ...rest] = path
  if (rest.length === 0) return { ...object, [name]: value }
  const child = object[name]
  return { ...object, [name]: setNested(isJsonObject(child) ? child : {}, rest, value) }
}
