import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { getField, isContainer, splitPath } from './path-segments.js'
import type { Segment } from './path-segments.js'

/** A test of one candidate, a value that a path leads to; undefined is a missing field. */
export type CandidateTest = (candidate: Json | undefined) => boolean

/**
 * The candidates of an array at the end of a path: its elements and then the array itself, or the
 * array only, as `$size` and `$elemMatch` require.
 */
export type ArrayMatching = 'elements' | 'array'

/**
 * Compiles a path and a test into a predicate: does one of the path's candidates in an item pass the
 * test? The candidates are MongoDB's (https://www.mongodb.com/docs/manual/tutorial/query-arrays/,
 * https://www.mongodb.com/docs/manual/tutorial/query-array-of-documents/, and `ElementPath` in its
 * source):
 * - If no array is on the path, the only candidate is the value, or undefined if it is missing.
 * - An array on the path is traversed: the rest of the path applies to each object in it. A segment
 *   of digits is a field's name in those objects, and a position in the array.
 * - An array directly inside an array is entered by position only.
 * - An array without objects has no candidates, not even a missing one.
 * - An array at the end offers its elements, then itself. If a position ended the path, it offers
 *   only itself.
 * @param onPosition is called after a match for each array on the path, the outermost array last,
 * with the position of the element that leads to the candidate
 */
export function compilePath(
  path: string,
  arrays: ArrayMatching,
  test: CandidateTest,
  onPosition?: (position: number) => void,
): (item: Json) => boolean {
  const segments = splitPath(path)
  const last = segments.length - 1
  // A path that ends in a dot ends at the array: no name is left to look up.
  const arrayEnd = segments[last]?.name === '' ? last : last + 1
  const first = segments[0] as Segment

  const testElements =
    onPosition === undefined
      ? (array: readonly Json[]): boolean => array.some(test)
      : (array: readonly Json[]): boolean => {
          const position = array.findIndex(test)
          if (position >= 0) onPosition(position)
          return position >= 0
        }

  // Each function tests the candidates of the segments from `from` on.
  const testArray = (array: readonly Json[], from: number): boolean => {
    if (from >= arrayEnd) return (arrays === 'elements' && testElements(array)) || test(array)
    const segment = segments[from] as Segment
    for (let position = 0; position < array.length; position += 1) {
      const element = array[position] as Json
      const isMatch =
        (isJsonObject(element) && testObject(element, from)) ||
        (position === segment.index && testPosition(element, from))
      if (!isMatch) continue
      onPosition?.(position)
      return true
    }
    return false
  }

  const testPosition = (element: Json, from: number): boolean => {
    if (from === last) return test(element)
    if (Array.isArray(element)) return testArray(element, from + 1)
    return isJsonObject(element) && testObject(element, from + 1)
  }

  const testObject = (object: JsonObject, from: number): boolean => {
    let value = getField(object, segments[from] as Segment)
    for (let index = from; ; index += 1) {
      if (!isContainer(value)) return test(index === last ? value : undefined)
      if (Array.isArray(value)) return testArray(value, index + 1)
      if (index === last) return test(value)
      value = getField(value, segments[index + 1] as Segment)
    }
  }

  // An array as the item is an element of an `$elemMatch`; its positions act as field names.
  const testArrayItem = (array: readonly Json[]): boolean => {
    const value = array[first.index]
    if (Array.isArray(value)) return testArray(value, 1)
    if (last === 0) return test(value)
    return isJsonObject(value) ? testObject(value, 1) : test(undefined)
  }

  const testItem = (item: Json): boolean =>
    Array.isArray(item) ? testArrayItem(item) : testObject(item as JsonObject, 0)
  if (last > 0 || first.isInherited) return testItem
  // A fast path for top-level fields, as a scan calls this for every item.
  const { name } = first
  return (item) => {
    const value = (item as JsonObject)[name]
    return typeof value === 'object' || Array.isArray(item) ? testItem(item) : test(value)
  }
}
