import type { JsonObject } from '../json/json.js'

/** How the items of a resource change with time. Times are in ms since the epoch. */
export interface Lifecycle {
  /** Returns the item with all transitions up to now; the same item if none is due. */
  readonly advance: (item: JsonObject, now: number) => JsonObject
  /** Returns the time of the next transition; Infinity if there is none. */
  readonly nextTransitionAt: (item: JsonObject) => number
  /** Returns the item with all times of a change under way moved by some ms. */
  readonly shiftTimes: (item: JsonObject, ms: number) => JsonObject
}
