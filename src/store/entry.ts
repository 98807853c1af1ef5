import type { JsonObject } from '@materials-mock/json'
import type { CompiledFields } from '@materials-mock/query'

/** A stored item and its caches. An item never changes; a write stores a new entry. */
export interface Entry {
  readonly id: string
  readonly item: JsonObject
  /** The item's place in natural order. It is larger than the place of every earlier item; there are gaps. */
  readonly ordinal: number
  /** `owner._id`, if it is a string. */
  readonly ownerId: string | undefined
  /** The item's JSON text as the element of a list, with a comma; undefined until it is first sent. */
  element: Buffer | undefined
  /** The item's JSON text as it is sent alone, if it is short; undefined until then. */
  text: string | undefined
  /** The same of the most recently requested fields. */
  projected: { readonly fields: CompiledFields; readonly element: Buffer } | undefined
}

export const createEntry = (item: JsonObject, ordinal: number): Entry => ({
  id: item._id as string,
  item,
  ordinal,
  ownerId: ownerIdOf(item),
  element: undefined,
  text: undefined,
  projected: undefined,
})

/** Whether an item is visible to the account of the request. */
export type VisibilityFilter = (entry: { readonly ownerId: string | undefined }) => boolean

/** Our assumption: an item is hidden only if its `owner._id` is another account of the fixtures. */
export const createVisibilityFilter =
  (accountId: string, accountIds: ReadonlySet<string>): VisibilityFilter =>
  ({ ownerId }) =>
    ownerId === accountId || isShared(ownerId, accountIds)

/** Whether every account sees the items of an owner, because the owner is not an account of the fixtures. */
const isShared = (ownerId: string | undefined, accountIds: ReadonlySet<string>): boolean =>
  ownerId === undefined || !accountIds.has(ownerId)

/** Whether some account sees the items of both owners. */
export const areSeenTogether = (
  one: string | undefined,
  other: string | undefined,
  accountIds: ReadonlySet<string>,
): boolean => one === other || isShared(one, accountIds) || isShared(other, accountIds)

export function ownerIdOf(item: JsonObject): string | undefined {
  const id = (item.owner as JsonObject | null | undefined)?._id
  return typeof id === 'string' ? id : undefined
}
