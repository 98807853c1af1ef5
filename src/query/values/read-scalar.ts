import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { getField, isContainer, splitPath } from './path.js'
import type { Segment } from './path.js'

/** A value that is neither an object nor an array. */
export type Scalar = string | number | boolean | null

/** Whether a value is neither an object nor an array. */
export const isScalar = (value: Json): value is Scalar => !isContainer(value)

/** The length of the longest string that is read: to sort by longer ones takes long. */
const MAX_LENGTH = 1000

/**
 * Compiles a path into a function that returns the scalar at the path of an item; null if it is
 * missing, as a comparison with null matches both; undefined if an array is on the path, or an array,
 * an object or a long string at its end. A scalar alone decides all comparisons on the path.
 */
export function compileScalarReader(path: string): (item: JsonObject) => Scalar | undefined {
  const segments = splitPath(path)
  return (item) => {
    let value: Json | undefined = item
    for (let index = 0; index < segments.length; index += 1) {
      if (!isJsonObject(value)) return Array.isArray(value) ? undefined : null
      value = getField(value, segments[index] as Segment)
    }
    if (value === undefined) return null
    if (typeof value === 'string') return value.length <= MAX_LENGTH ? value : undefined
    return isScalar(value) ? value : undefined
  }
}
