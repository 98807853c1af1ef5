import { isJsonObject } from '../schemas/json.js'
import type { Json } from '../schemas/json.js'
import { quote } from '../schemas/place.js'
import type { Place } from '../schemas/place.js'
import { compareValues } from './compare.js'
import { checkFieldPath } from './field-path.js'
import { fieldOf, splitPath } from './paths.js'
import type { Segment } from './paths.js'

/**
 * The order of a `$push`'s `$sort`: of whole entries for 1 or -1, or by fields of entries that are
 * objects, a missing one as null
 * (https://www.mongodb.com/docs/manual/reference/operator/update/sort/). Other than in a list's
 * sort, an array counts as a whole. Throws BodyInvalid.
 */
export function pushOrder(sort: Json, place: Place): (a: Json, b: Json) => number {
  if (!isJsonObject(sort)) return by([], directionOf(sort, place))
  const orders = Object.entries(sort).map(([path, direction]) => {
    checkFieldPath(path, place.at(path))
    return by(splitPath(path), directionOf(direction, place.at(path)))
  })
  if (orders.length === 0) throw place.invalid('must have at least one path, not {}')
  return (a, b) => orders.reduce((order, compare) => order || compare(a, b), 0)
}

const by =
  (path: readonly Segment[], direction: 1 | -1) =>
  (a: Json, b: Json): number =>
    direction * compareValues(valueAt(a, path), valueAt(b, path))

function directionOf(direction: Json, place: Place): 1 | -1 {
  if (direction === 1 || direction === -1) return direction
  throw place.invalid(`must be 1 or -1, not ${quote(direction)}`)
}

const valueAt = (entry: Json, path: readonly Segment[]): Json =>
  path.reduce<Json>(
    (value, segment) =>
      typeof value === 'object' && value !== null
        ? (fieldOf(value as Parameters<typeof fieldOf>[0], segment) ?? null)
        : null,
    entry,
  )
