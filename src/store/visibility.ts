import type { JsonObject } from '../json/json.js'

/** Whether an item is visible to the account of the request. */
export type VisibilityFilter = (entry: { readonly ownerId: string | undefined }) => boolean

/**
 * Returns the filter for the items that an account sees. This rule is our assumption: an item is hidden
 * from an account only if its `owner._id` is another account of the fixtures.
 */
export const createVisibilityFilter =
  (accountId: string, accountIds: ReadonlySet<string>): VisibilityFilter =>
  ({ ownerId }) =>
    ownerId === accountId || ownerId === undefined || !accountIds.has(ownerId)

/** Returns the `owner._id` of an item, if it is a string. */
export function ownerIdOf(item: JsonObject): string | undefined {
  const id = (item.owner as JsonObject | null | undefined)?._id
  return typeof id === 'string' ? id : undefined
}
