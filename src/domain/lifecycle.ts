import type { JsonObject } from '../json/json.js'

/** The changes of a resource's items with time. Times are in ms since the epoch. */
export interface Lifecycle {
  /** Applies all transitions up to now. Returns the same item if none is due. */
  readonly advance: (item: JsonObject, now: number) => JsonObject
  /** Returns the time of the next transition; Infinity if there is none. */
  readonly nextTransitionAt: (item: JsonObject) => number
  /** Shifts all times of the transitions in progress by some ms. */
  readonly shiftTimes: (item: JsonObject, ms: number) => JsonObject
}
