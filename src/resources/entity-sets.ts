import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { ParameterInvalid, isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

/** The URL parameters that move an item between sets. An empty or missing id means no set. */
export const MoveQuerystring = Type.Object({
  oldSetId: Type.Optional(
    Type.String({ description: 'The _id of the set to remove the item from.' }),
  ),
  newSetId: Type.Optional(Type.String({ description: 'The _id of the set to add the item to.' })),
})
export type MoveQuerystring = Static<typeof MoveQuerystring>

/**
 * Returns the same item if nothing changes.
 * @param index undefined for an unordered set
 * @throws ItemNotFound for a set that does not exist, ParameterInvalid for what is no set
 */
export function moveToSet(
  item: JsonObject,
  { oldSetId = '', newSetId = '' }: MoveQuerystring,
  findItem: (id: string) => JsonObject,
  index?: number,
): JsonObject {
  const sets = listMemberships(item)
  const isMember = (id: string): boolean => sets.some((set) => hasId(set, id))
  if (oldSetId !== '' && !isMember(oldSetId)) findItem(oldSetId)
  if (newSetId !== '' && findItem(newSetId).isEntitySet !== true)
    throw new ParameterInvalid(`newSetId must be the _id of a set; "${newSetId}" is an item`)
  if (newSetId === item._id)
    throw new ParameterInvalid(`newSetId must be another set; "${newSetId}" can't be in itself`)

  const remaining = oldSetId === newSetId ? sets : sets.filter((set) => !hasId(set, oldSetId))
  const added = newSetId === '' || isMember(newSetId) ? [] : [toMembership(newSetId, index)]
  if (remaining.length === sets.length && added.length === 0) return item
  return { ...item, inSet: [...remaining, ...added] }
}

/** Returns the sets that an item is in. An item of the fixtures may have one set without an array. */
export const listMemberships = ({ inSet = null }: JsonObject): readonly Json[] =>
  Array.isArray(inSet) ? inSet : isJsonObject(inSet) ? [inSet] : []

const toMembership = (_id: string, index: number | undefined): JsonObject =>
  index === undefined ? { _id, type: 'unordered' } : { _id, type: 'ordered', index }

export const isOrderedSet = ({ isEntitySet, entitySetType }: JsonObject): boolean =>
  isEntitySet === true && entitySetType === 'ordered'

/** @throws ParameterInvalid */
export function checkIsSet({ _id, isEntitySet }: JsonObject): void {
  if (isEntitySet !== true)
    throw new ParameterInvalid(`id must be the _id of a set; "${_id}" is an item`)
}

const hasId = (set: Json, id: string): boolean => isJsonObject(set) && set._id === id
