import type { Json } from '../schemas/json.js'
import type { Place } from '../schemas/place.js'
import { FORBIDDEN, MAX_DEPTH } from './bounds.js'

/**
 * Checks a value that is to be stored, or a whole item. No field's name may start with `$` or have a
 * dot, as no query could reach it then
 * (https://www.mongodb.com/docs/manual/core/dot-dollar-considerations/), or reach into JavaScript's
 * prototypes; no number may be beyond a double, which JSON would write as null. Throws BodyInvalid,
 * and BoundExceeded for more than 50 levels.
 */
export const checkStorable = (value: Json, place: Place): void =>
  checkValue(value, place, isStorableName)

/** Checks a condition in a body, whose keys are paths and operators; throws as checkStorable does. */
export const checkCondition = (value: Json, place: Place): void =>
  checkValue(value, place, (name) => !name.split('.').some((segment) => FORBIDDEN.has(segment)))

const isStorableName = (name: string): boolean => !/^\$|\.|\0/.test(name) && !FORBIDDEN.has(name)

function checkValue(
  value: Json,
  place: Place,
  isAllowed: (name: string) => boolean,
  depth = 1,
): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw place.invalid('must be a number that a double can hold (below 1.8e308)')
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw place.exceeds(`must have at most ${MAX_DEPTH} levels of JSON`)
  if (Array.isArray(value)) {
    value.forEach((entry: Json, index) => checkValue(entry, place.at(index), isAllowed, depth + 1))
    return
  }
  for (const [name, entry] of Object.entries(value)) {
    if (!isAllowed(name)) throw place.at(name).invalid('must not have such a name')
    checkValue(entry as Json, place.at(name), isAllowed, depth + 1)
  }
}
