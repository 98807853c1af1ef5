import type { Json, JsonObject } from '../schemas/json.js'
import { Place, quote } from '../schemas/place.js'
import { compareValues } from './compare.js'
import { checkFieldPath } from './field-path.js'
import { sortKeys } from './sort-keys.js'

/** What an item is sorted by: one value for each path. */
export type SortKey = readonly (Json | undefined)[]

/** A checked, compiled `sort`. */
export interface Order {
  /** The paths and their directions, the first path first. */
  readonly keys: readonly { readonly path: string; readonly direction: 1 | -1 }[]
  /** The key of an item, to be taken once. Throws ProjectionInvalid for parallel arrays. */
  readonly keyOf: (item: JsonObject) => SortKey
  /** Below 0 where the first key comes first. Keys that are equal give 0. */
  readonly compare: (a: SortKey, b: SortKey) => number
  /** Whether this is natural order from its end, which has no keys. */
  readonly isBackward?: boolean
}

/** The most paths in a sort, as in MongoDB. */
const MAX_PATHS = 32

/** Natural order, where MongoDB has a path (https://www.mongodb.com/docs/manual/reference/operator/meta/natural/). */
const NATURAL = '$natural'

/** Natural order from its end. */
const BACKWARD: Order = { keys: [], keyOf: () => [], compare: () => 0, isBackward: true }

/**
 * Compiles a `sort` (https://www.mongodb.com/docs/manual/reference/method/cursor.sort/): paths to 1
 * or -1, the first path first. `{}` and `{"$natural": 1}` are natural order, `undefined`. Throws
 * ProjectionInvalid for another direction, a path that MongoDB refuses, and more than 32 paths.
 */
export function compileOrder(sort: JsonObject): Order | undefined {
  const place = new Place('projection', 'projection.sort')
  const paths = Object.keys(sort)
  if (paths.length === 0) return undefined
  if (paths.length > MAX_PATHS) {
    throw place.invalid(`must have at most ${MAX_PATHS} paths, not ${paths.length}`)
  }
  const directions = paths.map((path) => {
    if (path !== NATURAL) checkFieldPath(path, place.at(path))
    else if (paths.length > 1) throw place.at(path).invalid('must stand alone')
    const direction = sort[path] as Json
    if (direction === 1 || direction === -1) return direction
    throw place.at(path).invalid(`must be 1 or -1, not ${quote(direction)}`)
  })
  if (paths[0] === NATURAL) return directions[0] === 1 ? undefined : BACKWARD
  const compare = (a: SortKey, b: SortKey): number => {
    for (let at = 0; at < directions.length; at += 1) {
      const order = compareValues(a[at], b[at])
      if (order !== 0) return order * (directions[at] as number)
    }
    return 0
  }
  const keysOf = sortKeys(paths, place)
  const keyOf = (item: JsonObject): SortKey => {
    const [first, ...others] = keysOf(item)
    return others.reduce<SortKey>(
      (best, key) => (compare(key, best) < 0 ? key : best),
      first as SortKey,
    )
  }
  const keys = paths.map((path, at) => ({ path, direction: directions[at] as 1 | -1 }))
  return { keys, keyOf, compare }
}
