import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { getField, isContainer, splitPath } from './path.js'

export type CandidateTest = (candidate: Json | undefined) => boolean

/** Its elements and then the array, or only the array, as `$size` and `$elemMatch` require. */
export type ArrayMatching = 'elements' | 'array'

/**
 * Visits the candidates of a path in an item until one passes a test; returns whether one did.
 * @param onPosition called after a match for each array on the path, the outermost array last, with the
 * position of the element on the way to the candidate
 */
export type VisitCandidates = (
  item: Json,
  test: CandidateTest,
  onPosition?: (position: number) => void,
) => boolean

/**
 * Compiles a path into a function that visits its candidates, which are the same as in MongoDB
 * (https://www.mongodb.com/docs/manual/tutorial/query-arrays/,
 * https://www.mongodb.com/docs/manual/tutorial/query-array-of-documents/, and `ElementPath` in its source):
 * - If no array is on the path, the only candidate is the value, or undefined if it is missing.
 * - An array on the path is traversed: the rest of the path applies to each object in it. A segment
 *   of digits is a field's name in those objects, and a position in the array.
 * - An array directly inside an array is entered only by position.
 * - An array without objects has no candidates, not even a missing one.
 * - The candidates of an array at the end are its elements, then the array itself. If the path ends in
 *   a position, only the array is a candidate.
 */
export function compileVisit(path: string, arrays: ArrayMatching): VisitCandidates {
  const segments = splitPath(path)
  const last = segments.length - 1
  // A path that ends in a dot ends at the array, because no name is left to look up.
  const arrayEnd = segments[last]?.name === '' ? last : last + 1
  const first = segments[0]!

  // Each function visits the candidates of the segments from `from` on.
  const visitArray = (
    array: readonly Json[],
    from: number,
    test: CandidateTest,
    onPosition?: (position: number) => void,
  ): boolean => {
    if (from >= arrayEnd) return visitValue(array, arrays, test, onPosition)
    const segment = segments[from]!
    for (let position = 0; position < array.length; position += 1) {
      const element = array[position] as Json
      const isMatch =
        (isJsonObject(element) && visitObject(element, from, test, onPosition)) ||
        (position === segment.index && visitPosition(element, from, test, onPosition))
      if (!isMatch) continue
      onPosition?.(position)
      return true
    }
    return false
  }

  const visitPosition = (
    element: Json,
    from: number,
    test: CandidateTest,
    onPosition?: (position: number) => void,
  ): boolean => {
    if (from === last) return test(element)
    if (Array.isArray(element)) return visitArray(element, from + 1, test, onPosition)
    return isJsonObject(element) && visitObject(element, from + 1, test, onPosition)
  }

  const visitObject = (
    object: JsonObject,
    from: number,
    test: CandidateTest,
    onPosition?: (position: number) => void,
  ): boolean => {
    let value = getField(object, segments[from]!)
    for (let index = from; ; index += 1) {
      if (!isContainer(value)) return test(index === last ? value : undefined)
      if (Array.isArray(value)) return visitArray(value, index + 1, test, onPosition)
      if (index === last) return test(value)
      value = getField(value, segments[index + 1]!)
    }
  }

  return (item, test, onPosition) => {
    if (!Array.isArray(item)) return visitObject(item as JsonObject, 0, test, onPosition)
    // If the item is an array, it is an element of an `$elemMatch`, and its positions act as field names.
    const value: Json | undefined = item[first.index]
    if (Array.isArray(value)) return visitArray(value, 1, test, onPosition)
    if (last === 0) return test(value)
    return isJsonObject(value) ? visitObject(value, 1, test, onPosition) : test(undefined)
  }
}

export function visitValue(
  value: Json,
  arrays: ArrayMatching,
  test: CandidateTest,
  onPosition?: (position: number) => void,
): boolean {
  if (!Array.isArray(value) || arrays === 'array') return test(value)
  if (onPosition === undefined) return value.some(test) || test(value)
  const position = value.findIndex(test)
  if (position < 0) return test(value)
  onPosition(position)
  return true
}

/** Compiles a path and a test into a predicate: does one of the path's candidates in an item pass? */
export function compilePath(
  path: string,
  arrays: ArrayMatching,
  test: CandidateTest,
): (item: Json) => boolean {
  const visit = compileVisit(path, arrays)
  const [first, ...rest] = splitPath(path)
  const { name, isInherited } = first!
  if (rest.length > 0 || isInherited) return (item) => visit(item, test)
  // A fast path for top-level fields, because a scan calls this for every item.
  return (item) => {
    const value = (item as JsonObject)[name]
    return typeof value === 'object' || Array.isArray(item) ? visit(item, test) : test(value)
  }
}

/** A value that is neither an object nor an array. */
export type Scalar = string | number | boolean | null

export const isScalar = (value: Json): value is Scalar => !isContainer(value)

/** The length of the longest string that is read. Sorting by longer strings takes long. */
const MAX_SCALAR_LENGTH = 1000

/**
 * Null for a missing value: a comparison with null matches both. Undefined if an array is on the
 * path, or an array, an object or a long string at its end. The scalar decides all comparisons.
 */
export function compileScalarReader(path: string): (item: JsonObject) => Scalar | undefined {
  const segments = splitPath(path)
  return (item) => {
    let value: Json | undefined = item
    for (let index = 0; index < segments.length; index += 1) {
      if (!isJsonObject(value)) return Array.isArray(value) ? undefined : null
      value = getField(value, segments[index]!)
    }
    if (value === undefined) return null
    if (typeof value === 'string') return value.length <= MAX_SCALAR_LENGTH ? value : undefined
    return isScalar(value) ? value : undefined
  }
}
