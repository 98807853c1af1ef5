import { isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import { compareValues } from './compare-values.js'
import type { Meter } from './compare-values.js'
import { checkFieldPath, getField, splitPath } from './path.js'
import type { Segment } from './path.js'
import { isArray, isObject } from './value.js'
import type { Value } from './value.js'

export type CompareElements = (a: Value, b: Value, meter?: Meter) => number

/**
 * For `$sort` of `$push` (https://www.mongodb.com/docs/manual/reference/operator/update/sort/) and
 * `$sortArray`: 1 or -1 compares whole elements, an object their fields. Unlike in a list's sort,
 * an array is compared as a whole.
 * @throws the path's error
 */
export function compileElementOrder(sort: Json, path: InputPath): CompareElements {
  if (!isJsonObject(sort)) return compileComparison([], parseDirection(sort, path))
  const comparisons = Object.entries(sort).map(([fieldPath, direction]) => {
    const inputPath = path.child(fieldPath)
    checkFieldPath(fieldPath, inputPath)
    return compileComparison(splitPath(fieldPath), parseDirection(direction, inputPath))
  })
  if (comparisons.length === 0) throw path.error('must have at least one path, not {}')
  return (a, b, meter) => comparisons.reduce((order, compare) => order || compare(a, b, meter), 0)
}

/** @throws the path's error if it is not 1 or -1 */
export function parseDirection(direction: Json, path: InputPath): 1 | -1 {
  if (direction === 1 || direction === -1) return direction
  throw path.error(`must be 1 or -1, not ${quote(direction)}`)
}

const compileComparison =
  (segments: readonly Segment[], direction: 1 | -1): CompareElements =>
  (a, b, meter) => {
    meter?.spend(1)
    return direction * compareValues(getInside(a, segments), getInside(b, segments), meter)
  }

/** Returns the value at a path, through positions of arrays, but not through positions of the element itself. */
const getInside = (element: Value, segments: readonly Segment[]): Value =>
  isArray(element) && segments.length > 0
    ? null
    : segments.reduce<Value>(
        (value, segment) =>
          isObject(value) || isArray(value) ? (getField(value, segment) ?? null) : null,
        element,
      )
