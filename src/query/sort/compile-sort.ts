import { InputPath } from '../../json/input-path.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { compareValues } from '../values/compare-values.js'
import { checkFieldPath } from '../values/field-path.js'
import { sortKeys } from './sort-keys.js'
import type { SortKey, SortPath, SortSpec } from './sort-spec.js'

/** The number of paths allowed in a sort, as in MongoDB. */
const MAX_PATHS = 32

/** https://www.mongodb.com/docs/manual/reference/operator/meta/natural/ */
const NATURAL = '$natural'

const REVERSE_NATURAL: SortSpec = {
  paths: [],
  extractKey: () => [],
  compare: () => 0,
  isReverseNatural: true,
}

/**
 * Compiles a `sort` (https://www.mongodb.com/docs/manual/reference/method/cursor.sort/): paths to 1
 * or -1. Returns undefined for natural order: `{}` and `{"$natural": 1}`.
 * @throws ProjectionInvalid for another direction, for a path that MongoDB refuses, and for more
 * than 32 paths
 */
export function compileSort(sort: JsonObject): SortSpec | undefined {
  const root = new InputPath('projection', 'projection.sort')
  const names = Object.keys(sort)
  if (names.length === 0) return undefined
  if (names.length > MAX_PATHS)
    throw root.error(`must have at most ${MAX_PATHS} paths, not ${names.length}`)
  const paths = names.map((path): SortPath => {
    const at = root.child(path)
    if (path !== NATURAL) checkFieldPath(path, at)
    else if (names.length > 1) throw at.error('must stand alone')
    return { path, direction: parseDirection(sort[path] as Json, at) }
  })
  const [first] = paths
  if (first?.path === NATURAL) return first.direction === 1 ? undefined : REVERSE_NATURAL
  const compare = compareKeys(paths)
  const listKeys = sortKeys(names, root)
  const extractKey = (item: JsonObject): SortKey =>
    listKeys(item).reduce((best, key) => (compare(key, best) < 0 ? key : best))
  return { paths, extractKey, compare }
}

/**
 * Parses the direction of a sort.
 * @throws the path's error unless it is 1 or -1
 */
export function parseDirection(direction: Json, path: InputPath): 1 | -1 {
  if (direction === 1 || direction === -1) return direction
  throw path.error(`must be 1 or -1, not ${quote(direction)}`)
}

const compareKeys =
  (paths: readonly SortPath[]) =>
  (a: SortKey, b: SortKey): number => {
    for (let at = 0; at < paths.length; at += 1) {
      const order = compareValues(a[at], b[at])
      if (order !== 0) return order * (paths[at] as SortPath).direction
    }
    return 0
  }
