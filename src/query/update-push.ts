import { isJsonObject } from '../schemas/json.js'
import type { Json, JsonObject } from '../schemas/json.js'
import { quote } from '../schemas/place.js'
import type { Place } from '../schemas/place.js'
import { equalValues } from './compare.js'
import { pushOrder } from './push-order.js'
import { checkStorable } from './storable.js'
import type { Modifier } from './update-path.js'

/**
 * `$push`: adds a value to the end of a list, or with `$each` several: at `$position`, then sorted by
 * `$sort`, then cut by `$slice` (https://www.mongodb.com/docs/manual/reference/operator/update/push/).
 */
export function push(operand: Json, place: Place): Modifier {
  if (!isJsonObject(operand) || !('$each' in operand)) {
    checkStorable(operand, place)
    return ofLists(place, (list) => [...list, operand])
  }
  const unknown = Object.keys(operand).find((key) => !CLAUSES.has(key))
  if (unknown !== undefined) {
    throw place
      .at(unknown)
      .invalid(`is not known beside $each; there are ${[...CLAUSES].join(', ')}`)
  }
  const values = eachOf(operand, place)
  const position = integerOf(operand, '$position', Infinity, place)
  const slice = integerOf(operand, '$slice', Infinity, place)
  const compare =
    '$sort' in operand ? pushOrder(operand.$sort as Json, place.at('$sort')) : undefined
  return ofLists(place, (list) => {
    const at = position < 0 ? Math.max(0, list.length + position) : position
    const added = [...list.slice(0, at), ...values, ...list.slice(at)]
    const sorted = compare === undefined ? added : added.toSorted(compare)
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice)
  })
}

/**
 * `$addToSet`: adds a value, or those of `$each`, unless the list has an equal one
 * (https://www.mongodb.com/docs/manual/reference/operator/update/addToSet/).
 */
export function addToSet(operand: Json, place: Place): Modifier {
  const hasEach = isJsonObject(operand) && Object.keys(operand)[0] === '$each'
  if (hasEach && Object.keys(operand).length > 1) {
    throw place.invalid(`must have nothing beside $each, not ${quote(operand)}`)
  }
  const values = hasEach ? eachOf(operand, place) : [operand]
  if (!hasEach) checkStorable(operand, place)
  return ofLists(place, (list) => {
    // Equal values, and no others, have one text: the order of an object's fields counts.
    const present = new Set(list.map((entry) => JSON.stringify(entry)))
    const added = values.filter((value) => {
      const text = JSON.stringify(value)
      return !present.has(text) && present.add(text)
    })
    return [...list, ...added]
  })
}

const CLAUSES: ReadonlySet<string> = new Set(['$each', '$position', '$slice', '$sort'])

function eachOf(operand: JsonObject, place: Place): readonly Json[] {
  const { $each: values = null } = operand
  if (!Array.isArray(values)) {
    throw place.at('$each').invalid(`must be a list, not ${quote(values)}`)
  }
  checkStorable(values, place.at('$each'))
  return values
}

function integerOf(operand: JsonObject, key: string, missing: number, place: Place): number {
  const { [key]: value = missing } = operand
  if (value === missing || Number.isInteger(value)) return value as number
  throw place.at(key).invalid(`must be an integer, not ${quote(value)}`)
}

function ofLists(place: Place, change: (list: readonly Json[]) => readonly Json[]): Modifier {
  return {
    creates: true,
    change: (value) => {
      if (value === undefined) return change([])
      if (!Array.isArray(value)) {
        throw place.invalid(`must be of a field that is a list, not ${quote(value)}`)
      }
      const changed = change(value)
      return equalValues(changed, value) ? value : changed
    },
  }
}
