import { type Json, type JsonObject } from '../../json/json.js'

/** One part of a dotted path: a field's name, and an array's position where it is all digits. */
export interface Segment {
  readonly name: string
  /** The position that the name means in an array, or -1. `01` is a name only. */
  readonly index: number
  /** Whether all objects of JavaScript have the name (`toString`), so that it has to be looked up. */
  readonly isInherited: boolean
}

/** Judges one candidate of a path; `undefined` is a missing field. */
export type Test = (candidate: Json | undefined) => boolean

/**
 * How an array at the end of a path is met: `each` offers its elements and then the array itself,
 * `whole` offers the array only (`$size` and `$elemMatch` judge arrays).
 */
export type ArrayMatching = 'elements' | 'array'

/** The segments of a dotted path. */
export const splitPath = (path: string): readonly Segment[] =>
  path.split('.').map((name) => ({
    name,
    index: /^(0|[1-9]\d{0,9})$/.test(name) ? Number(name) : -1,
    isInherited: name in Object.prototype,
  }))

/** The field of an object by one segment, or the element of an array; `undefined` where it is missing. */
export function getField(holder: JsonObject | readonly Json[], segment: Segment): Json | undefined {
  if (Array.isArray(holder)) return holder[segment.index] as Json | undefined
  if (segment.isInherited && !Object.hasOwn(holder, segment.name)) return undefined
  return (holder as JsonObject)[segment.name]
}

/**
 * Compiles a path and a test to the question whether one of the path's candidates in an item passes.
 * The candidates are MongoDB's (https://www.mongodb.com/docs/manual/tutorial/query-arrays/ and
 * .../query-array-of-documents/; `ElementPath` in its source):
 * - without arrays on the way there is one: the value, or what is missing;
 * - an array on the way is passed through implicitly: each of its objects is asked for the rest of
 *   the path. A segment of digits is a field's name in those objects and a position in the array.
 * - an array directly inside an array is entered by position only;
 * - an array without objects, or an empty one, has no candidates: not even a missing one;
 * - an array at the end offers its elements, then itself, unless a position ended the path.
 */
export function compilePath(
  path: string,
  arrays: ArrayMatching,
  test: Test,
): (item: Json) => boolean {
  const segments = splitPath(path)
  const last = segments.length - 1
  // A path that ends in a dot ends at the array: there is no name left to look for.
  const leaf = segments[last]?.name === '' ? last : last + 1
  const head = segments[0] as Segment

  const inArray = (array: readonly Json[], from: number): boolean => {
    if (from >= leaf) return (arrays === 'elements' && array.some(test)) || test(array)
    const segment = segments[from] as Segment
    for (let position = 0; position < array.length; position += 1) {
      const element = array[position] as Json
      if (isObject(element) && inObject(element, from)) return true
      if (position === segment.index && atPosition(element, from)) return true
    }
    return false
  }

  const atPosition = (element: Json, from: number): boolean => {
    if (from === last) return test(element)
    if (Array.isArray(element)) return inArray(element, from + 1)
    return isObject(element) && inObject(element, from + 1)
  }

  const inObject = (holder: JsonObject, from: number): boolean => {
    let value = getField(holder, segments[from] as Segment)
    for (let at = from; ; at += 1) {
      if (typeof value !== 'object' || value === null) return test(at === last ? value : undefined)
      if (Array.isArray(value)) return inArray(value, at + 1)
      if (at === last) return test(value)
      value = getField(value as JsonObject, segments[at + 1] as Segment)
    }
  }

  const inList = (list: readonly Json[]): boolean => {
    const value = list[head.index]
    if (Array.isArray(value)) return inArray(value, 1)
    if (last === 0) return test(value)
    return isObject(value) ? inObject(value, 1) : test(undefined)
  }

  const general = (item: Json): boolean =>
    Array.isArray(item) ? inList(item) : inObject(item as JsonObject, 0)
  if (last > 0 || head.isInherited) return general
  // The same, where there is nothing to walk: a scan asks this of every item.
  const { name } = head
  return (item) => {
    const value = (item as JsonObject)[name]
    return typeof value === 'object' || Array.isArray(item) ? general(item) : test(value)
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
