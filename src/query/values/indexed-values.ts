import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { compilePath } from './compile-path.js'
import { getField, splitPath } from './path-segments.js'
import type { Segment } from './path-segments.js'

/**
 * Compiles a path into a function that returns the values of an item under which an index stores
 * it: all values by which an equality or a comparison on the path could match the item. A missing
 * field counts as null, because a comparison with null matches both.
 */
export function compileIndexedValues(path: string): (item: JsonObject) => readonly Json[] {
  let values: Json[] = []
  const collect = compilePath(path, 'elements', (candidate) => {
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
 * Compiles a path into a function that returns the only indexed value of an item, or undefined if
 * an array is on the path or at its end. It allocates nothing.
 */
export function compileSingleValue(path: string): (item: JsonObject) => Json | undefined {
  const segments = splitPath(path)
  return (item) => {
    let value: Json | undefined = item
    for (let index = 0; index < segments.length; index += 1) {
      if (!isJsonObject(value)) return Array.isArray(value) ? undefined : null
      value = getField(value, segments[index] as Segment)
    }
    if (value === undefined) return null
    return Array.isArray(value) ? undefined : value
  }
}
