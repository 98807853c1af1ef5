import type { JsonObject } from '../json/json.js'

/** Whether an item is there for the account that asks. */
export type VisibilityFilter = (entry: { readonly ownerId: string | undefined }) => boolean

/**
 * Who sees what (ours): an item is hidden from an account only where its `owner._id` is another
 * account of the fixtures. Any other owner, or none, hides nothing.
 */
export function visibilityFilter(
  accountId: string,
  accountIds: ReadonlySet<string>,
): VisibilityFilter {
  return ({ ownerId }) => ownerId === accountId || ownerId === undefined || !accountIds.has(ownerId)
}

/** The `owner._id` of an item, where there is one and it is a string. */
export function ownerIdOf(item: JsonObject): string | undefined {
  const id = (item.owner as JsonObject | null | undefined)?._id
  return typeof id === 'string' ? id : undefined
}
