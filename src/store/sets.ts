import { ParameterInvalid } from '../errors.js'
import { isJsonObject } from '../schemas/json.js'
import type { Json, JsonObject } from '../schemas/json.js'
import type { Move } from '../schemas/new-item.js'
import type { Entry } from './collection.js'
import { touch } from './documents.js'

/** A new item as a set of items; which items are in it, their `inSet` says. */
export const asSet = (item: JsonObject): JsonObject => ({ ...item, isEntitySet: true })

/**
 * An item moved from one set into another; the same item where it is moved nowhere.
 * @param find gives an item that the account sees
 * @throws ItemNotFound for sets that are not there, ParameterInvalid for an item that is no set
 */
export function moveToSet(
  item: JsonObject,
  { oldSetId = '', newSetId = '' }: Move,
  find: (id: string) => Entry,
): JsonObject {
  const sets: readonly Json[] = Array.isArray(item.inSet) ? item.inSet : []
  const isIn = (id: string): boolean => sets.some((set) => isSet(set, id))
  if (oldSetId !== '' && !isIn(oldSetId)) find(oldSetId)
  if (newSetId !== '' && find(newSetId).item.isEntitySet !== true)
    throw new ParameterInvalid(
      `newSetId must be the _id of a set; "${newSetId}" is that of an item`,
    )
  const left = oldSetId === newSetId ? sets : sets.filter((set) => !isSet(set, oldSetId))
  const joined = newSetId === '' || isIn(newSetId) ? [] : [{ _id: newSetId, type: 'unordered' }]
  if (left.length === sets.length && joined.length === 0) return item
  return touch({ ...item, inSet: [...left, ...joined] })
}

const isSet = (set: Json, id: string): boolean => isJsonObject(set) && set._id === id
