import { OwnerForbidden } from '../../errors.js'
import type { Account } from '../../schemas/account.js'
import type { JsonObject } from '../../json/json.js'
import { ownerIdOf } from '../visibility.js'

/** Who writes: the account that asks, and those in whose names it must not. */
export interface WriteContext {
  readonly account: Account
  /** The `_id` of every account of the fixtures. */
  readonly accountIds: ReadonlySet<string>
}

/** An account as an item refers to it: as its owner, or as its creator. */
export const referenceTo = (
  { _id, slug, username }: Account,
  cls: 'Account' | 'User',
): JsonObject => ({ _id, slug: slug ?? username, cls })

/**
 * The owner of a new item: the author, or the one that the body names, as long as nobody can log in
 * as that one.
 * @throws OwnerForbidden
 */
export function ownerOf(body: JsonObject, author: WriteContext): JsonObject {
  const id = ownerIdOf(body)
  if (id === undefined || id === author.account._id) return referenceTo(author.account, 'Account')
  if (author.accountIds.has(id)) throw new OwnerForbidden(id)
  return body.owner as JsonObject
}
