import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { parseFields } from './parse-fields.js'
import type { PathTree } from './path-tree.js'

/** A compiled `fields`: what is answered of an item. Never changes the item. */
export interface Fields {
  (item: JsonObject): JsonObject
  /** Whether an `$elemMatch` in it uses a pattern, so that it has to be interruptible. */
  readonly needsTimeout: boolean
}

/**
 * Compiles `fields`, MongoDB's projection of find
 * (https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#projection). Throws ProjectionInvalid for what MongoDB refuses, and for expressions
 * and the positional `$`, which are not supported.
 */
export function compileFields(fields: JsonObject): Fields {
  const { paths, includes, slices, elements, needsTimeout } = parseFields(fields)
  const choose = includes ? include : exclude
  const apply = (item: JsonObject): JsonObject => {
    let chosen: JsonObject = choose(paths, item)
    for (const [name, find] of elements) chosen = withElement(chosen, name, find(item[name]))

    for (const { path, skip, limit } of slices) chosen = sliceAt(chosen, path, 0, skip, limit)
    return chosen
  }
  return Object.assign(apply, { needsTimeout })
}

/** The included fields of an object, in stored order. */
function include(tree: PathTree, value: JsonObject): JsonObject {
  // No path names `__proto__` (bounds.ts), which would be a setter here.
  const chosen: Record<string, Json> = {}
  for (const name of Object.keys(value)) {
    const child = tree.get(name)
    if (child === undefined) continue
    const field = value[name] as Json
    const included = child === 'leaf' ? field : includeIn(child, field)
    if (included !== undefined) chosen[name] = included
  }
  return chosen
}

/** Goes into arrays, and arrays in them, where what is no object has no fields and is left out. */
function includeIn(tree: PathTree, value: Json): Json | undefined {
  if (isJsonObject(value)) return include(tree, value)
  if (!Array.isArray(value)) return undefined
  return value
    .map((element: Json) => includeIn(tree, element))
    .filter((element) => element !== undefined)
}

/** All fields of an object but the excluded ones. */
function exclude(tree: PathTree, value: JsonObject): JsonObject {
  const chosen: [string, Json][] = []
  for (const name of Object.keys(value)) {
    const child = tree.get(name)
    const field = value[name] as Json
    if (child === undefined) chosen.push([name, field])
    else if (child !== 'leaf') chosen.push([name, excludeIn(child, field)])
  }
  // Not by assignment: a stored field may have the name of a setter, `__proto__`.
  return Object.fromEntries(chosen)
}

function excludeIn(tree: PathTree, value: Json): Json {
  if (isJsonObject(value)) return exclude(tree, value)
  return Array.isArray(value) ? value.map((element: Json) => excludeIn(tree, element)) : value
}

/**
 * The field of an `$elemMatch` holds the one element, or is not there. In an inclusion it comes
 * after all others, in an exclusion it stays in its place.
 */
function withElement(chosen: JsonObject, name: string, element: Json | undefined): JsonObject {
  if (element !== undefined) return { ...chosen, [name]: [element] }
  const { [name]: _left, ...others } = chosen
  return others
}

/** Slices the array at a path, also in the objects of arrays on the way, but not arrays in arrays. */
function sliceAt(
  value: JsonObject,
  path: readonly string[],
  at: number,
  skip: number | undefined,
  limit: number,
): JsonObject {
  const name = path[at] as string
  if (!Object.hasOwn(value, name)) return value
  const field = value[name] as Json
  const deeper = (inner: Json): Json =>
    isJsonObject(inner) ? sliceAt(inner, path, at + 1, skip, limit) : inner
  if (at === path.length - 1)
    return Array.isArray(field) ? { ...value, [name]: slice(field, skip, limit) } : value

  return { ...value, [name]: Array.isArray(field) ? field.map(deeper) : deeper(field) }
}

/** https://www.mongodb.com/docs/manual/reference/operator/projection/slice/ */
function slice(array: readonly Json[], skip: number | undefined, limit: number): Json {
  if (skip === undefined) return limit < 0 ? array.slice(limit) : array.slice(0, limit)
  const start = skip < 0 ? Math.max(0, array.length + skip) : skip
  return array.slice(start, start + limit)
}
