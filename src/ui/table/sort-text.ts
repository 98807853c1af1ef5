/** Returns the direction in which a list is sorted by a path, if it is the first of the sort. */
export function readDirection(sort: string, path: string): 1 | -1 | undefined {
  try {
    const [first] = Object.entries(JSON.parse(sort) as Record<string, number>)
    return first?.[0] === path && (first[1] === 1 || first[1] === -1) ? first[1] : undefined
  } catch {
    return undefined
  }
}

/** Returns the sort after a click: upward, then downward, then none. */
export function nextSort(sort: string, path: string, only?: 1 | -1): string {
  const direction = readDirection(sort, path)
  if (only !== undefined) return direction === only ? '' : JSON.stringify({ [path]: only })
  if (direction === -1) return ''
  return JSON.stringify({ [path]: direction === undefined ? 1 : -1 })
}
