import { evaluate } from '../../query/evaluate.js'
import type { SortSpec } from '../../query/sort/compile-sort.js'
import type { Work } from '../../work/work.js'
import type { Entry } from '../entry.js'
import type { FindOptions } from './query-plan.js'

/** The place of an item in a list without its skip and limit. */
export interface ListPlace {
  /** The place of the item, from 1. */
  readonly place: number
  /** The number of items in the list. */
  readonly total: number
}

/** The longest duration of a step, in ms. A step ends between two sort keys. */
const STEP_MS = 2

/**
 * Finds the place of an entry in the list of the matching items that an account sees.
 * @param entry an entry that matches
 * @param entries the entries that the account sees, in an array that no write changes
 * @throws as `Collection.find` does
 */
export function* findPlace(
  entry: Entry,
  entries: readonly Entry[],
  { selector, sort }: Pick<FindOptions, 'selector' | 'sort'>,
): Work<ListPlace> {
  const listed = yield* evaluate(entries, {
    selector,
    sort: undefined,
    skip: 0,
    limit: Infinity,
  })
  const position = listed.indexOf(entry)
  const total = listed.length
  if (sort === undefined) return { place: position + 1, total }
  if (sort.isReverseNatural === true) return { place: total - position, total }
  return { place: (yield* countBefore(listed, position, sort)) + 1, total }
}

/** Counts the entries that a sort puts before an entry. Equal entries stay in natural order. */
function* countBefore(
  entries: readonly Entry[],
  position: number,
  { extractKey, compare }: SortSpec,
): Work<number> {
  const key = extractKey((entries[position] as Entry).item)
  let count = 0
  let stepEnd = performance.now() + STEP_MS
  for (const [index, { item }] of entries.entries()) {
    const order = compare(extractKey(item), key)
    if (order < 0 || (order === 0 && index < position)) count += 1
    if (performance.now() < stepEnd) continue
    yield 'sorting items'
    stepEnd = performance.now() + STEP_MS
  }
  return count
}
