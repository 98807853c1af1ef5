import { InputPath, isJsonArray, isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { MAX_SORT_PATHS } from '../limits.js'
import { compareValues } from '../values/compare-values.js'
import { parseDirection } from '../values/element-order.js'
import { checkFieldPath, getField, isContainer, splitPath } from '../values/path.js'
import type { Container, Segment } from '../values/path.js'

/** The values that an item is sorted by, one for each path. */
export type SortKey = readonly (Json | undefined)[]

export interface SortPath {
  readonly path: string
  readonly direction: 1 | -1
}

export interface SortSpec {
  /** The paths in order of precedence; empty for reverse natural order. */
  readonly paths: readonly SortPath[]
  /**
   * The first of its possible keys in sort order.
   * @throws ProjectionInvalid for parallel arrays
   */
  readonly extractKey: (item: JsonObject) => SortKey
  /** Compares two keys. Returns a number below 0 if `a` comes first, 0 if they are equal. */
  readonly compare: (a: SortKey, b: SortKey) => number
  /** Whether the sort is `{"$natural": -1}` (default: no). */
  readonly isReverseNatural?: boolean
}

const NATURAL = '$natural'

const REVERSE_NATURAL: SortSpec = {
  paths: [],
  extractKey: () => [],
  compare: () => 0,
  isReverseNatural: true,
}

/**
 * Undefined for natural order: `{}` and `{"$natural": 1}`
 * (https://www.mongodb.com/docs/manual/reference/method/cursor.sort/).
 * @throws ProjectionInvalid for what MongoDB rejects, and for more than 32 paths
 */
export function compileSort(sort: JsonObject): SortSpec | undefined {
  const sortPath = new InputPath('projection', 'projection.sort')
  const names = Object.keys(sort)
  if (names.length === 0) return undefined
  if (names.length > MAX_SORT_PATHS)
    throw sortPath.error(`must have at most ${MAX_SORT_PATHS} paths, not ${names.length}`)
  const paths = names.map((path): SortPath => {
    const inputPath = sortPath.child(path)
    if (path !== NATURAL) checkFieldPath(path, inputPath)
    else if (names.length > 1) throw inputPath.error('must be the only path of the sort')
    return { path, direction: parseDirection(sort[path]!, inputPath) }
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
      if (order !== 0) return order * paths[index]!.direction
    }
    return 0
  }
}

/** In one item, counted once for each path. A million take 150 ms. */
const MAX_VISITED = 1_000_000

/** The state of one path of the sort that is followed into an item. */
interface PathState {
  /** The remaining segments; empty if the path has ended. */
  readonly rest: readonly Segment[]
  /** The value that the path has reached. If `rest` is not empty, it is an array on the path. */
  readonly value: Json | undefined
  /** The state after following `rest` into the array, if `rest` starts with a position. */
  readonly positional?: PathState
  /** Whether the value is an array directly inside an array, which is one value. */
  readonly isNested?: boolean
}

/**
 * Compiles the paths of a sort into a function that returns the sort key of an item. An item with
 * arrays has several possible keys, as MongoDB generates them for an index (`BtreeKeyGenerator` in its
 * source); the function returns the first of them in sort order:
 * 1. Follow each path to its end or to the first array on it.
 * 2. If no path stopped at an array, the values of the paths are one key. A missing field is null.
 * 3. Otherwise, all paths that stopped at an array must have stopped at the same array. For each of its
 *    elements, the paths that end there have the element as their value, the other paths continue in
 *    the element, and the procedure repeats from 1. A path whose next segment is a position in the
 *    array continues at that position. An empty array is expanded as if its element were undefined. The
 *    function throws the input path's error for parallel arrays, and for a segment that is both a
 *    position in an array and a field in its elements. It throws the limitError for too many elements
 *    and paths.
 */
function compileSortKey(
  paths: readonly SortPath[],
  compare: SortSpec['compare'],
  inputPath: InputPath,
): (item: JsonObject) => SortKey {
  const start = paths.map(({ path }): PathState => ({ rest: splitPath(path), value: undefined }))
  let first: SortKey | undefined
  let visited = 0

  const visitKey = (key: SortKey): void => {
    if (first === undefined || compare(key, first) < 0) first = key
  }

  const visitKeys = (states: readonly PathState[], container: Container): void => {
    let foundArray: readonly Json[] | undefined
    let isNested = false
    const atArray = new Set<number>()
    const reached = states.map((state, index): PathState => {
      if (state.rest.length === 0) return state
      const next = advance(state, container, paths[index]!.path, inputPath)
      if (!isJsonArray(next.value)) return { rest: [], value: next.value ?? null }
      if (foundArray !== undefined && foundArray !== next.value)
        throw inputPath.error('meets an item with parallel arrays, which have no order')

      foundArray = next.value
      isNested ||= next.isNested === true
      atArray.add(index)
      return next
    })
    if (foundArray === undefined) {
      visitKey(reached.map(({ value }) => value))
      return
    }
    const array = foundArray
    const [only = 0] = atArray
    if (atArray.size === 1 && reached[only]?.rest.length === 0 && !isNested) {
      const value = findFirst(array, paths[only]!.direction)
      visitKey(reached.map((state, index) => (index === only ? value : state.value)))
      return
    }
    visited += array.length * states.length
    if (visited > MAX_VISITED) {
      throw inputPath.limitError(
        `must visit at most ${MAX_VISITED} elements of arrays in one item, once for each path; sort by fewer paths`,
      )
    }
    const positioned = reached.map((state, index) =>
      atArray.has(index) ? followPosition(state, array) : state,
    )
    const elements: readonly (Json | undefined)[] = array.length === 0 ? [undefined] : array
    // Paths that continue find nothing in an element that is not an object, so one such element is enough.
    const goesOn = positioned.every(({ rest }, index) => !atArray.has(index) || rest.length > 0)
    let isNothingVisited = false
    for (const element of elements) {
      if (goesOn && !isJsonObject(element)) {
        if (isNothingVisited) continue
        isNothingVisited = true
      }
      const value = isNested && array.length > 0 ? array : element
      const inside = positioned.map((state, index) =>
        atArray.has(index) && state.rest.length === 0 ? { rest: [], value } : state,
      )
      visitKeys(inside, isJsonObject(element) ? element : {})
    }
  }

  return (item) => {
    first = undefined
    visited = 0
    visitKeys(start, item)
    return first as unknown as SortKey
  }
}

/** Finds the element by which an array is sorted, in one pass; undefined for an empty array. */
function findFirst(array: readonly Json[], direction: 1 | -1): Json | undefined {
  let [first] = array
  for (const element of array) if (direction * compareValues(element, first) < 0) first = element
  return first
}

function advance(
  state: PathState,
  container: Container,
  path: string,
  inputPath: InputPath,
): PathState {
  if (state.positional === undefined) return follow(state.rest, container)
  const isField = getField(container, state.rest[0]!) !== undefined
  if (!isField) return state.positional
  throw inputPath.error(
    `meets an item where a number in "${path}" is both a position in an array and a field in it`,
  )
}

/** Follows segments to their end, or to the first array on the path. */
function follow(segments: readonly Segment[], container: Container): PathState {
  let value: Json | undefined = container
  for (const [index, segment] of segments.entries()) {
    if (!isContainer(value)) return { rest: [], value: undefined }
    value = getField(value, segment)
    if (Array.isArray(value)) return { rest: segments.slice(index + 1), value }
  }
  return { rest: [], value }
}

/** Adds the positional state, if the next segment is a position in the array. */
function followPosition(state: PathState, array: readonly Json[]): PathState {
  const [segment] = state.rest
  const element = segment === undefined ? undefined : array[segment.index]
  if (element === undefined) return state
  return {
    ...state,
    positional: { ...follow(state.rest, array), isNested: Array.isArray(element) },
  }
}
