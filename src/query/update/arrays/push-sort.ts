import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { parseDirection } from '../../sort/compile-sort.js'
import { compareValues } from '../../values/compare-values.js'
import { checkFieldPath } from '../../values/field-path.js'
import { getField, isContainer, splitPath } from '../../values/path-segments.js'
import type { Segment } from '../../values/path-segments.js'

/**
 * Compiles the `$sort` of a `$push` into a comparison: 1 or -1 compares whole entries, an object
 * compares fields of entries (https://www.mongodb.com/docs/manual/reference/operator/update/sort/).
 * A missing field counts as null. Unlike in a list's sort, an array is compared as a whole.
 * @throws BodyInvalid for a direction or a path that MongoDB rejects
 */
export function compilePushSort(sort: Json, path: InputPath): (a: Json, b: Json) => number {
  if (!isJsonObject(sort)) return compileComparison([], parseDirection(sort, path))
  const comparisons = Object.entries(sort).map(([fieldPath, direction]) => {
    const inputPath = path.child(fieldPath)
    checkFieldPath(fieldPath, inputPath)
    return compileComparison(splitPath(fieldPath), parseDirection(direction, inputPath))
  })
  if (comparisons.length === 0) throw path.error('must have at least one path, not {}')
  return (a, b) => comparisons.reduce((order, compare) => order || compare(a, b), 0)
}

const compileComparison =
  (segments: readonly Segment[], direction: 1 | -1) =>
  (a: Json, b: Json): number =>
    direction * compareValues(getValue(a, segments), getValue(b, segments))

/** Returns the value at a path, through positions of arrays, but for those of the entry itself. */
const getValue = (entry: Json, segments: readonly Segment[]): Json =>
  Array.isArray(entry) && segments.length > 0
    ? null
    : segments.reduce<Json>(
        (value, segment) => (isContainer(value) ? (getField(value, segment) ?? null) : null),
        entry,
      )
