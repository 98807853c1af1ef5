import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { equalValues } from '../values/compare-values.js'
import { compilePushSort } from './push-sort.js'
import { checkStoredValue } from './stored-value-rules.js'
import type { Modifier } from './update-path.js'

/**
 * `$push`: adds a value to the end of a list, or with `$each` several: at `$position`, then sorted by
 * `$sort`, then cut by `$slice` (https://www.mongodb.com/docs/manual/reference/operator/update/push/).
 */
export function push(operand: Json, place: InputPath): Modifier {
  if (!isJsonObject(operand) || !('$each' in operand)) {
    checkStoredValue(operand, place)
    return ofLists(place, (list) => [...list, operand])
  }
  const unknown = Object.keys(operand).find((key) => !CLAUSES.has(key))
  if (unknown !== undefined) {
    throw place
      .child(unknown)
      .error(`is not known beside $each; there are ${[...CLAUSES].join(', ')}`)
  }
  const values = eachOf(operand, place)
  const position = integerOf(operand, '$position', Infinity, place)
  const slice = integerOf(operand, '$slice', Infinity, place)
  const compare =
    '$sort' in operand ? compilePushSort(operand.$sort as Json, place.child('$sort')) : undefined
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
export function addToSet(operand: Json, place: InputPath): Modifier {
  const hasEach = isJsonObject(operand) && Object.keys(operand)[0] === '$each'
  if (hasEach && Object.keys(operand).length > 1)
    throw place.error(`must have nothing beside $each, not ${quote(operand)}`)

  const values = hasEach ? eachOf(operand, place) : [operand]
  if (!hasEach) checkStoredValue(operand, place)
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

function eachOf(operand: JsonObject, place: InputPath): readonly Json[] {
  const { $each: values = null } = operand
  if (!Array.isArray(values))
    throw place.child('$each').error(`must be a list, not ${quote(values)}`)

  checkStoredValue(values, place.child('$each'))
  return values
}

function integerOf(operand: JsonObject, key: string, missing: number, place: InputPath): number {
  const { [key]: value = missing } = operand
  if (value === missing || Number.isInteger(value)) return value as number
  throw place.child(key).error(`must be an integer, not ${quote(value)}`)
}

function ofLists(place: InputPath, change: (list: readonly Json[]) => readonly Json[]): Modifier {
  return {
    creates: true,
    change: (value) => {
      if (value === undefined) return change([])
      if (!Array.isArray(value))
        throw place.error(`must be of a field that is a list, not ${quote(value)}`)

      const changed = change(value)
      return equalValues(changed, value) ? value : changed
    },
  }
}
