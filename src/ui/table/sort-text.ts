/** The sort of a list: JSON, as typed, and `reversed` if the list is read from its end. */
export interface SortState {
  readonly sort: string
  readonly order: string
}

/** The sort of a click on the head of a column. */
export interface ColumnSort {
  readonly path: string
  /** Whether only a downward sort by the path is right. */
  readonly isDownward: boolean
  /** Whether a list can be read from its end, for which the number of its items must be known. */
  readonly canReverse: boolean
}

/** Returns the direction in which a list is sorted by a path, if it is the first of the sort. */
export function readDirection({ sort, order }: SortState, path: string): 1 | -1 | undefined {
  try {
    const [first] = Object.entries(JSON.parse(sort) as Record<string, number>)
    if (first?.[0] !== path || (first[1] !== 1 && first[1] !== -1)) return undefined
    return (order === 'reversed') === (first[1] === 1) ? -1 : 1
  } catch {
    return undefined
  }
}

/** Returns the sort after a click: upward, then downward, then none. */
export function nextSort(
  state: SortState,
  { path, isDownward, canReverse }: ColumnSort,
): SortState {
  const direction = readDirection(state, path)
  if (direction === -1) return { sort: '', order: '' }
  const isUpward = direction === undefined && (canReverse || !isDownward)
  if (isDownward) return { sort: JSON.stringify({ [path]: -1 }), order: isUpward ? 'reversed' : '' }
  return { sort: JSON.stringify({ [path]: isUpward ? 1 : -1 }), order: '' }
}
