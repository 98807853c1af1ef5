import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'
import { retryTimeouts, runPattern } from '../run-pattern.js'
import { MATCH_ALL } from '../selector/compile-selector.js'
import type { Selector } from '../selector/compile-selector.js'
import { applyPositional, applySlice } from './array-fields.js'
import { parseFields } from './parse-fields.js'
import type { ComputeField, PathTree } from './parse-fields.js'

/** A compiled `fields`: returns the projected fields of an item. It never changes the item. */
export interface CompiledFields {
  (item: JsonObject): JsonObject
  /** Whether one item can take long, so that the function must run with a timeout. */
  readonly needsTimeout: boolean
}

/**
 * Compiles `fields`, which is MongoDB's projection of `find`
 * (https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#projection).
 * @param selector the query that the items match, for the positional `$`
 * @throws as parseFields does
 */
export function compileFields(fields: JsonObject, selector: Selector = MATCH_ALL): CompiledFields {
  const { paths, isInclusion, slices, scope, positional, needsTimeout } = parseFields(fields)
  if (positional !== undefined && selector.itemOperator !== undefined)
    throw positional.inputPath.error(`must not be used with ${selector.itemOperator}`)

  const isComputed = hasComputed(paths)
  const apply = (item: JsonObject): JsonObject => {
    const fresh = isInclusion ? include(paths, item) : exclude(paths, item)
    if (isComputed) {
      scope.start(item)
      setComputedFields(fresh, paths, item)
    }
    let projected: JsonObject = fresh
    for (const slice of slices) projected = applySlice(projected, slice)
    if (positional === undefined) return projected
    return applyPositional(projected, positional, item, selector.findArrayPosition)
  }
  const matchesAgain = positional !== undefined && selector.needsTimeout
  return Object.assign(apply, { needsTimeout: needsTimeout || matchesAgain })
}

/**
 * The item itself without `fields`.
 * @throws PatternTooCostly
 */
export function* applyFields(
  fields: CompiledFields | undefined,
  item: JsonObject,
): Work<JsonObject> {
  if (fields === undefined) return item
  if (!fields.needsTimeout) return fields(item)
  return yield* retryTimeouts(() => runPattern(() => fields(item)))
}

/** In stored order. Objects on the paths are copied, so that computed fields can be set. */
function include(tree: PathTree, object: JsonObject): Record<string, Json> {
  // A path never contains `__proto__` (json-parameter.ts), so assigning its name sets a field.
  const projected: Record<string, Json> = {}
  for (const name of Object.keys(object)) {
    const child = tree.get(name)
    if (child === undefined || typeof child === 'function') continue
    const field = object[name] as Json
    const included = child instanceof Map ? includeInside(child, field) : field
    if (included !== undefined) projected[name] = included
  }
  return projected
}

/** Other values than objects are left out, or become objects with the fields computed in them. */
function includeInside(tree: PathTree, value: Json): Json | undefined {
  if (isJsonObject(value)) return include(tree, value)
  if (!Array.isArray(value)) return undefined
  const elements = value.map((element: Json) => includeInside(tree, element))
  return hasComputed(tree)
    ? elements.map((element) => element ?? null)
    : elements.filter((element) => element !== undefined)
}

/** Returns the fields of an object except the excluded ones, in stored order. */
function exclude(tree: PathTree, object: JsonObject): Record<string, Json> {
  const projected: [string, Json][] = []
  for (const name of Object.keys(object)) {
    const child = tree.get(name)
    const field = object[name] as Json
    if (child instanceof Map) projected.push([name, excludeInside(child, field)])
    else if (child !== 'exclude') projected.push([name, field])
  }
  // A stored field may be named `__proto__`, and assigning that name would not set a field.
  return Object.fromEntries(projected)
}

/** Traverses arrays, and arrays in them. */
function excludeInside(tree: PathTree, value: Json): Json {
  if (isJsonObject(value)) return exclude(tree, value)
  return Array.isArray(value) ? value.map((element: Json) => excludeInside(tree, element)) : value
}

const hasComputed = (tree: PathTree): boolean =>
  [...tree.values()].some((child) =>
    child instanceof Map ? hasComputed(child) : typeof child === 'function',
  )

/**
 * Sets the computed fields of a projected object in the order of `fields`. A new field comes last, an existing field
 * keeps its place. In an array, each element gets the fields, and an element that is not an object becomes one.
 */
function setComputedFields(
  projected: Record<string, Json>,
  tree: PathTree,
  item: JsonObject,
): void {
  for (const [name, child] of tree) {
    if (child instanceof Map ? !hasComputed(child) : typeof child !== 'function') continue
    const value =
      child instanceof Map
        ? computeInside(Object.hasOwn(projected, name) ? projected[name] : undefined, child, item)
        : (child as ComputeField)(item)
    if (value === undefined) delete projected[name]
    else projected[name] = value
  }
}

function computeInside(value: Json | undefined, tree: PathTree, item: JsonObject): Json {
  if (Array.isArray(value)) return value.map((element: Json) => computeInside(element, tree, item))
  const object = isJsonObject(value) ? value : {}
  setComputedFields(object, tree, item)
  return object
}
