/** `basis.elements,lattice`: the innermost opened nodes. A node with an open one in it is open. */

/** The keys of objects, and the indexes of arrays, that lead to a node. */
export type TreePath = readonly (string | number)[]

export function isNodeOpen(open: string, path: TreePath): boolean {
  const text = formatPath(path)
  return split(open).some((each) => isWithin(each, text))
}

/** Returns the text after opening the node at a path, or closing it with all nodes within it. */
export function toggleNode(open: string, path: TreePath): string {
  const text = formatPath(path)
  const isOpen = isNodeOpen(open, path)
  const others = split(open).filter((each) => !isWithin(each, text) && !isWithin(text, each))
  const left = isOpen ? formatPath(path.slice(0, -1)) : text
  const isImplied = left === '' || others.some((each) => isWithin(each, left))
  return (isImplied ? others : [...others, left]).join()
}

const split = (open: string): string[] => open.split(',').filter((each) => each !== '')

const isWithin = (path: string, ancestor: string): boolean =>
  path === ancestor || path.startsWith(`${ancestor}.`)

const formatPath = (path: TreePath): string => path.map((step) => escapeKey(String(step))).join('.')

/** Escapes the separators of keys and paths in a key. `%` stands for an empty key. */
const escapeKey = (key: string): string =>
  key === '' ? '%' : key.replaceAll(/[%.,]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)

/**
 * Without the indexes of arrays, so that any element matches, but one of an array of arrays.
 * Undefined if no query reaches it: a dot would separate keys, a leading `$` start an operator.
 */
export function toQueryPath(path: TreePath): string | undefined {
  const keys = path.filter(
    (step, at) => typeof step === 'string' || typeof path[at + 1] === 'number',
  )
  const text = keys.join('.')
  return text.startsWith('$') || text.split('.').length > keys.length ? undefined : text
}
