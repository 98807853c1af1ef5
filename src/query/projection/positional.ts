import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { FindArrayPosition } from '../selector/compile-array-position.js'

/** The path of a positional `$` of `fields`, without the `$`. */
export interface Positional {
  readonly path: readonly string[]
  readonly inputPath: InputPath
}

/** Whether `fields`, as JSON text, can have a positional `$`, whose result depends on the query. */
export const mayHavePositional = (fields: string): boolean => fields.includes('.$"')

/**
 * Replaces the first array on the path by its element at the position by which the query matched the
 * item (https://www.mongodb.com/docs/manual/reference/operator/projection/positional/). If there is
 * no array, nothing changes.
 * @throws ProjectionInvalid if there is an array, but no position in it
 */
export function applyPositional(
  projected: JsonObject,
  { path, inputPath }: Positional,
  item: JsonObject,
  findArrayPosition: FindArrayPosition,
): JsonObject {
  let object = projected
  for (const [depth, name] of path.entries()) {
    const field = Object.hasOwn(object, name) ? object[name] : undefined
    // MongoDB looks a name after a scalar up in the same object.
    if (isJsonObject(field)) object = field
    if (!Array.isArray(field)) continue
    const position = findArrayPosition(item)
    if (position === undefined)
      throw inputPath.error('must be used with a query that matches an element of an array')
    const element = (field as readonly Json[])[position]
    if (element === undefined)
      throw inputPath.error(`must apply to an array with the position ${position} that was matched`)
    return setNested(projected, path.slice(0, depth + 1), [element])
  }
  return projected
}

function setNested(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path as readonly [string, ...string[]]
  if (rest.length === 0) return { ...object, [name]: value }
  const child = object[name]
  return { ...object, [name]: setNested(isJsonObject(child) ? child : {}, rest, value) }
}
