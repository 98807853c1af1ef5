import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'

/** Computes a field of an item; undefined leaves it out. */
export type ComputeField = (item: JsonObject) => Json | undefined

/** A path of `fields`, in order, with the function that computes it. An included path has no function. */
export interface OrderedPath {
  readonly path: readonly string[]
  readonly compute?: ComputeField
}

/** Computed fields by their names, in the order of `fields`. */
export type ComputedTree = Map<string, ComputedTree | ComputeField>

/**
 * Creates the tree of the computed fields. An object with computed fields has its place where `fields`
 * first names a path into it.
 */
export function createComputedTree(paths: readonly OrderedPath[]): ComputedTree {
  const tree: ComputedTree = new Map()
  for (const { path, compute } of paths) {
    let object = tree
    for (const name of path.slice(0, -1)) {
      const child = object.get(name) ?? new Map()
      object.set(name, child)
      object = child as ComputedTree
    }
    if (compute !== undefined) object.set(path.at(-1) as string, compute)
  }
  removeEmpty(tree)
  return tree
}

function removeEmpty(tree: ComputedTree): void {
  for (const [name, child] of tree) {
    if (!(child instanceof Map)) continue
    removeEmpty(child)
    if (child.size === 0) tree.delete(name)
  }
}

/**
 * Sets the computed fields of a projected object, which it changes: a new one comes last, one that is
 * there keeps its place. Inside an array each element has them; what is no object becomes one.
 */
export function setComputedFields(
  projected: Record<string, Json>,
  tree: ComputedTree,
  item: JsonObject,
): void {
  for (const [name, child] of tree) {
    const value =
      child instanceof Map
        ? computeInside(Object.hasOwn(projected, name) ? projected[name] : undefined, child, item)
        : child(item)
    if (value === undefined) delete projected[name]
    else projected[name] = value
  }
}

function computeInside(value: Json | undefined, tree: ComputedTree, item: JsonObject): Json {
  if (Array.isArray(value)) return value.map((element: Json) => computeInside(element, tree, item))
  const object = isJsonObject(value) ? value : {}
  setComputedFields(object, tree, item)
  return object
}
