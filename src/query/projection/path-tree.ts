/** A set of dotted paths as a tree of their names. A path ends in a `leaf`. */
export type PathTree = Map<string, PathTree | 'leaf'>

/** Adds the objects that a path leads through, without the path itself. */
export function addParents(tree: PathTree, path: readonly string[]): void {
  const [name, ...rest] = path as readonly [string, ...string[]]
  if (rest.length === 0) return
  const child = tree.get(name) ?? new Map()
  tree.set(name, child)
  addParents(child as PathTree, rest)
}

/**
 * Adds a path to a tree. Returns false, and adds nothing, if it collides with a path of the tree:
 * if one of them is equal to the other or leads through it.
 */
export function addPath(tree: PathTree, path: readonly string[]): boolean {
  const [name, ...rest] = path as readonly [string, ...string[]]
  const child = tree.get(name)
  if (rest.length === 0) {
    if (child === undefined) tree.set(name, 'leaf')
    return child === undefined
  }
  if (child === 'leaf') return false
  const next: PathTree = child ?? new Map()
  tree.set(name, next)
  return addPath(next, rest)
}
