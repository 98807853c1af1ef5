import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { Work } from '../../work/work.js'
import { retryTimeouts, runPattern } from '../run-pattern.js'
import { MATCH_ALL } from '../selector/compile-selector.js'
import type { Selector } from '../selector/compile-selector.js'
import { applyPositional, applySlice } from './array-fields.js'
import { setComputedFields } from './computed-fields.js'
import type { ComputedTree, ComputeField } from './computed-fields.js'
import { parseFields } from './parse-fields.js'
import type { PathTree } from './parse-fields.js'

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
  const { paths, isInclusion, slices, computed, scope, positional, needsTimeout } =
    parseFields(fields)
  if (positional !== undefined && selector.itemOperator !== undefined)
    throw positional.inputPath.error(`must not be used with ${selector.itemOperator}`)

  const apply = (item: JsonObject): JsonObject => {
    const fresh = isInclusion ? include(paths, item, computed) : exclude(paths, item)
    scope.start(item)
    setComputedFields(fresh, computed, item)
    let projected: JsonObject = fresh
    for (const slice of slices) projected = applySlice(projected, slice)
    if (positional === undefined) return projected
    return applyPositional(projected, positional, item, selector.findArrayPosition)
  }
  const matchesAgain = positional !== undefined && selector.needsTimeout
  return Object.assign(apply, { needsTimeout: needsTimeout || matchesAgain })
}

/**
 * Returns the projected fields of an item; the item itself without `fields`.
 * @throws PatternTooCostly for a regular expression in `fields` that takes too long
 */
export function* applyFields(
  fields: CompiledFields | undefined,
  item: JsonObject,
): Work<JsonObject> {
  if (fields === undefined) return item
  if (!fields.needsTimeout) return fields(item)
  return yield* retryTimeouts(() => runPattern(() => fields(item)))
}

/**
 * Returns the included fields of an object, in stored order. The result is new where paths lead into
 * it, so that computed fields can be set.
 */
function include(
  tree: PathTree,
  object: JsonObject,
  computed?: ComputedTree | ComputeField,
): Record<string, Json> {
  // A path never contains `__proto__` (parse-parameter.ts), so assigning its name sets a field.
  const projected: Record<string, Json> = {}
  for (const name of Object.keys(object)) {
    const child = tree.get(name)
    if (child === undefined) continue
    const field = object[name] as Json
    const inside = computed instanceof Map ? computed.get(name) : undefined
    const included = child === 'leaf' ? field : includeInside(child, field, inside)
    if (included !== undefined) projected[name] = included
  }
  return projected
}

/**
 * Traverses arrays, and arrays in them. Values other than objects have no fields, so they go, unless
 * fields are computed inside: then they become objects with these.
 */
function includeInside(
  tree: PathTree,
  value: Json,
  computed: ComputedTree | ComputeField | undefined,
): Json | undefined {
  if (isJsonObject(value)) return include(tree, value, computed)
  if (!Array.isArray(value)) return undefined
  const elements = value.map((element: Json) => includeInside(tree, element, computed))
  return computed === undefined
    ? elements.filter((element) => element !== undefined)
    : elements.map((element) => element ?? null)
}

/** Returns the fields of an object except the excluded ones, in stored order. */
function exclude(tree: PathTree, object: JsonObject): Record<string, Json> {
  const projected: [string, Json][] = []
  for (const name of Object.keys(object)) {
    const child = tree.get(name)
    const field = object[name] as Json
    if (child === undefined) projected.push([name, field])
    else if (child !== 'leaf') projected.push([name, excludeInside(child, field)])
  }
  // A stored field may be named `__proto__`, and assigning that name would not set a field.
  return Object.fromEntries(projected)
}

/** Traverses arrays, and arrays in them. */
function excludeInside(tree: PathTree, value: Json): Json {
  if (isJsonObject(value)) return exclude(tree, value)
  return Array.isArray(value) ? value.map((element: Json) => excludeInside(tree, element)) : value
}
