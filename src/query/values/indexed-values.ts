import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { compilePath, getField, splitPath } from './paths.js'
import type { Segment } from './paths.js'

/**
 * Returns a function that lists every value of an item by which an equality or a comparison on the
 * path could match it. A missing field is null, as null matches both.
 */
export function valuesAt(path: string): (item: JsonObject) => readonly Json[] {
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
 * Returns a function for the one value at a path, as in `valuesAt`; undefined if an array is on the
 * path or at its end. It allocates nothing.
 */
export function plainValueAt(path: string): (item: JsonObject) => Json | undefined {
  const segments = splitPath(path)
  return (item) => {
    let value: Json | undefined = item
    for (let at = 0; at < segments.length; at += 1) {
      if (!isJsonObject(value)) return Array.isArray(value) ? undefined : null
      value = getField(value, segments[at] as Segment)
    }
    if (value === undefined) return null
    return Array.isArray(value) ? undefined : value
  }
}
