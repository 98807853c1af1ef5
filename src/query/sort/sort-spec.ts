import type { Json, JsonObject } from '../../json/json.js'

/** The values by which an item is sorted, one for each path. */
export type SortKey = readonly (Json | undefined)[]

/** One path of a sort. */
export interface SortPath {
  readonly path: string
  /** 1 ascending, -1 descending. */
  readonly direction: 1 | -1
}

/** A compiled `sort`. */
export interface SortSpec {
  /** The paths, the first key first; none for natural order. */
  readonly paths: readonly SortPath[]
  /**
   * Returns the sort key of an item.
   * @throws ProjectionInvalid for parallel arrays
   */
  readonly extractKey: (item: JsonObject) => SortKey
  /** Compares two keys: below 0 if `a` comes first, 0 if they are equal. */
  readonly compare: (a: SortKey, b: SortKey) => number
  /** Whether this is `{"$natural": -1}`. */
  readonly isReverseNatural?: boolean
}
