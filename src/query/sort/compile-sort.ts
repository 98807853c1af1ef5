import { InputPath } from '../../json/input-path.js'
import type { Json, JsonObject } from '../../json/json.js'
import { compareValues } from '../values/compare-values.js'
import { parseDirection } from '../values/element-order.js'
import { checkFieldPath } from '../values/path.js'
import { compileSortKey } from './sort-key.js'
import type { SortPath, SortSpec } from './sort-key.js'

/** The number of paths allowed in a sort, as in MongoDB. */
const MAX_PATHS = 32

/** The key for natural order (https://www.mongodb.com/docs/manual/reference/operator/meta/natural/). */
const NATURAL = '$natural'

const REVERSE_NATURAL: SortSpec = {
  paths: [],
  extractKey: () => [],
  compare: () => 0,
  isReverseNatural: true,
}

/**
 * Compiles a `sort`, an object of paths and directions
 * (https://www.mongodb.com/docs/manual/reference/method/cursor.sort/). Returns undefined for natural
 * order: `{}` and `{"$natural": 1}`.
 * @throws ProjectionInvalid for a direction or a path that MongoDB rejects, and for more than 32
 * paths
 */
export function compileSort(sort: JsonObject): SortSpec | undefined {
  const sortPath = new InputPath('projection', 'projection.sort')
  const names = Object.keys(sort)
  if (names.length === 0) return undefined
  if (names.length > MAX_PATHS)
    throw sortPath.error(`must have at most ${MAX_PATHS} paths, not ${names.length}`)
  const paths = names.map((path): SortPath => {
    const inputPath = sortPath.child(path)
    if (path !== NATURAL) checkFieldPath(path, inputPath)
    else if (names.length > 1) throw inputPath.error('must be the only path of the sort')
    return { path, direction: parseDirection(sort[path] as Json, inputPath) }
  })
  const [only] = paths
  if (only?.path === NATURAL) return only.direction === 1 ? undefined : REVERSE_NATURAL
  const compare = compileComparison(paths)
  return { paths, extractKey: compileSortKey(paths, compare, sortPath), compare }
}

function compileComparison(paths: readonly SortPath[]): SortSpec['compare'] {
  return (a, b) => {
    for (let index = 0; index < paths.length; index += 1) {
      const order = compareValues(a[index], b[index])
      if (order !== 0) return order * (paths[index] as SortPath).direction
    }
    return 0
  }
}
