import { type Json, type JsonObject } from '../schemas/json.js'

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
export type LeafArrays = 'each' | 'whole'

/** The segments of a dotted path. */
export const splitPath = (path: string): readonly Segment[] =>
  path.split('.').map((name) => ({
    name,
    index: /^(0|[1-9]\d{0,9})$/.test(name) ? Number(name) : -1,
    isInherited: name in Object.prototype,
  }))

/** The field of an object by one segment, or the element of an array; `undefined` where it is missing. */
export function fieldOf(holder: JsonObject | readonly Json[], segment: Segment): Json | undefined {
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
export function compilePath(path: string, arrays: LeafArrays, test: Test): (item: Json) => boolean {
  const segments = splitPath(path)
  const last = segments.length - 1
  // A path that ends in a dot ends at the array: there is no name left to look for.
  const leaf = segments[last]?.name === '' ? last : last + 1
  const head = segments[0] as Segment

  const inArray = (array: readonly Json[], from: number): boolean => {
    if (from >= leaf) return (arrays === 'each' && array.some(test)) || test(array)
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
    let value = fieldOf(holder, segments[from] as Segment)
    for (let at = from; ; at += 1) {
      if (typeof value !== 'object' || value === null) return test(at === last ? value : undefined)
      if (Array.isArray(value)) return inArray(value, at + 1)
      if (at === last) return test(value)
      value = fieldOf(value as JsonObject, segments[at + 1] as Segment)
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

/**
 * Every value by which an equality or comparison on the path could meet an item: what an index has
 * to file the item under. A missing field is `null`, as null meets both.
 */
export function valuesAt(path: string): (item: JsonObject) => readonly Json[] {
  let values: Json[] = []
  const collect = compilePath(path, 'each', (candidate) => {
    values.push(candidate ?? null)
    return false
  })
  return (item) => {
    values = []
    collect(item)
    return values
  }
}

/**
 * The one value at a path, as `valuesAt` has it; `undefined` where an array is on the way or at its
 * end. Makes no list, which is what most of the time goes into where there are many items.
 */
export function plainValueAt(path: string): (item: JsonObject) => Json | undefined {
  const segments = splitPath(path)
  return (item) => {
    let value: Json | undefined = item
    for (let at = 0; at < segments.length; at += 1) {
      if (!isObject(value)) return Array.isArray(value) ? undefined : null
      value = fieldOf(value, segments[at] as Segment)
    }
    if (value === undefined) return null
    return Array.isArray(value) ? undefined : value
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
