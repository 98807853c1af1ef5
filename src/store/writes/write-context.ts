import type { RelatedItems } from '../../domain/jobs/complete-job.js'
import { OwnerForbidden } from '../../errors.js'
import type { JsonObject } from '../../json/json.js'
import type { Account } from '../sign-in/account.js'
import { ownerIdOf } from '../visibility.js'

/** The account that writes, and all accounts. An item can't be given to another one of these. */
export interface WriteContext {
  readonly account: Account
  /** The `_id` of every account of the fixtures. */
  readonly accountIds: ReadonlySet<string>
  /** The items that a new item may refer to. */
  readonly related: RelatedItems
  /** Returns the `schemaVersion` of a resource's fixtures, if they have one. */
  readonly findSchemaVersion: (resource: string) => string | undefined
}

/** Returns the reference to an account that an item has as its `owner` or `creator`. */
export const toReference = (
  { _id, slug, username }: Account,
  cls: 'Account' | 'User',
): JsonObject => ({ _id, slug: slug ?? username, cls })

/** Whether an owner is another account of the fixtures than the one that writes. */
export const isOtherAccount = (ownerId: string, { account, accountIds }: WriteContext): boolean =>
  ownerId !== account._id && accountIds.has(ownerId)

/**
 * Returns the owner of a new item: the one that the body names, else the account that writes.
 * @throws OwnerForbidden if the body names another account of the fixtures
 */
export function resolveNewOwner(body: JsonObject, context: WriteContext): JsonObject {
  const id = ownerIdOf(body)
  if (id === undefined || id === context.account._id) return toReference(context.account, 'Account')
  if (isOtherAccount(id, context)) throw new OwnerForbidden(id)
  return body.owner as JsonObject
}
