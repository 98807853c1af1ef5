import type { Json, JsonObject } from '../../json/json.js'

/** The values that an item is sorted by, one for each path. */
export type SortKey = readonly (Json | undefined)[]

/** One path of a sort. */
export interface SortPath {
  readonly path: string
  /** 1 for ascending, -1 for descending. */
  readonly direction: 1 | -1
}

/** A compiled `sort`. */
export interface SortSpec {
  /** The paths in order of precedence; none for reverse natural order. */
  readonly paths: readonly SortPath[]
  /**
   * Returns the sort key of an item: the first of its possible keys in sort order.
   * @throws ProjectionInvalid for parallel arrays
   */
  readonly extractKey: (item: JsonObject) => SortKey
  /** Compares two keys. Returns a number below 0 if `a` comes first, 0 if they are equal. */
  readonly compare: (a: SortKey, b: SortKey) => number
  /** Whether the sort is `{"$natural": -1}` (default: no). */
  readonly isReverseNatural?: boolean
}
