import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import { parseDirection } from '../sort/compile-sort.js'
import { compareValues } from '../values/compare-values.js'
import { checkFieldPath } from '../values/field-path.js'
import { getField, splitPath } from '../values/paths.js'
import type { Segment } from '../values/paths.js'

/**
 * Compiles the `$sort` of a `$push`: 1 or -1 compares whole entries, an object compares fields of
 * entries (https://www.mongodb.com/docs/manual/reference/operator/update/sort/). A missing field is
 * null. Other than in the sort of a list, an array counts as a whole.
 * @throws BodyInvalid
 */
export function compilePushSort(sort: Json, path: InputPath): (a: Json, b: Json) => number {
  if (!isJsonObject(sort)) return compareAt([], parseDirection(sort, path))
  const comparators = Object.entries(sort).map(([name, direction]) => {
    checkFieldPath(name, path.child(name))
    return compareAt(splitPath(name), parseDirection(direction, path.child(name)))
  })
  if (comparators.length === 0) throw path.error('must have at least one path, not {}')
  return (a, b) => comparators.reduce((order, compare) => order || compare(a, b), 0)
}

const compareAt =
  (path: readonly Segment[], direction: 1 | -1) =>
  (a: Json, b: Json): number =>
    direction * compareValues(getValue(a, path), getValue(b, path))

const getValue = (entry: Json, path: readonly Segment[]): Json =>
  path.reduce<Json>(
    (value, segment) =>
      typeof value === 'object' && value !== null
        ? (getField(value as Parameters<typeof getField>[0], segment) ?? null)
        : null,
    entry,
  )
