import { quote, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { equalValues } from '@materials-mock/query'
import type { RelatedItems } from '../../jobs/complete-job.js'
import type { SeedAccount } from '../../resources/seeding/common-fields.js'
import { BodyInvalid, OwnerForbidden } from '../../errors.js'
import { ownerIdOf } from '../entry.js'
import type { Account } from '../sign-in/accounts.js'

/** The account that writes, and all accounts. An item can't be given to another account. */
export interface WriteContext {
  readonly account: Account
  /** The `_id` of every account of the fixtures. */
  readonly accountIds: ReadonlySet<string>
  /** The items that a new item may refer to. */
  readonly related: RelatedItems
  readonly findSchemaVersion: (resource: string) => string | undefined
  /** Whether an item that is not whole is refused, and not completed. */
  readonly isStrict: boolean
  readonly now: () => number
  /** Checks that the heap has room for new data, as `Store.checkHeap` does. */
  readonly checkHeap: () => void
}

export const toReference = (account: Account, cls: 'Account' | 'User'): JsonObject => ({
  ...toSeedAccount(account),
  cls,
})

export const toSeedAccount = ({ _id, slug, username }: Account): SeedAccount => ({
  _id,
  slug: slug ?? username,
})

/** Whether an owner is an account of the fixtures, but not the account that writes. */
const isOtherAccount = (ownerId: string, { account, accountIds }: WriteContext): boolean =>
  ownerId !== account._id && accountIds.has(ownerId)

/**
 * The one that the body names, or the account that writes.
 * @throws OwnerForbidden
 */
export function resolveNewOwner(body: JsonObject, context: WriteContext): JsonObject {
  const id = ownerIdOf(body)
  if (id === undefined || id === context.account._id) return toReference(context.account, 'Account')
  if (isOtherAccount(id, context)) throw new OwnerForbidden(id)
  return completeOwner(id, toObject(body.owner))
}

/** Completes the reference to an account that is not of the fixtures, whose slug is not known. */
const completeOwner = (id: string, owner: JsonObject): JsonObject => ({
  slug: id,
  cls: 'Account',
  ...owner,
})

/** The fields of a reference to an owner that the server assigns. */
const REFERENCE_FIELDS = ['_id', 'slug', 'cls'] as const

/**
 * Null means the account that writes. What the PATCH does not name is of the new owner.
 * @param patched has an `owner` that is valid for new items
 * @throws BodyInvalid for an `$unset` or `$rename`, and another account's slug; OwnerForbidden
 */
export function patchOwner(
  item: JsonObject,
  patched: JsonObject,
  body: JsonObject,
  context: WriteContext,
): JsonObject {
  if (patched.owner === item.owner) return patched
  checkNotRemoved(body)
  const owner = resolveChangedOwner(toObject(item.owner), toObject(patched.owner), context)
  return {
    ...patched,
    owner: equalValues(owner, item.owner ?? null) ? item.owner! : owner,
  }
}

function checkNotRemoved(body: JsonObject): void {
  for (const operator of ['$unset', '$rename']) {
    const path = Object.keys(toObject(body[operator])).find((each) => OWNER_PATH.test(each))
    if (path === undefined) continue
    throw new BodyInvalid(
      `body.${operator}.${path} must not be unset; set owner to null to make the item your own`,
    )
  }
}

const OWNER_PATH = /^owner(\.(_id|slug|cls))?$/

function resolveChangedOwner(
  former: JsonObject,
  owner: JsonObject,
  context: WriteContext,
): JsonObject {
  const reference = toReference(context.account, 'Account')
  const id = ownerIdOf({ owner }) ?? context.account._id
  const isOwn = id === context.account._id
  if (isOwn) checkSlug(former, owner, reference)
  if (id === ownerIdOf({ owner: former })) {
    const kept = REFERENCE_FIELDS.flatMap((name) => (name in former ? [[name, former[name]]] : []))
    return { ...Object.fromEntries(kept), ...owner, _id: id }
  }
  if (isOtherAccount(id, context)) throw new OwnerForbidden(id)
  if (isOwn) return reference
  // The slug of the former owner is not the slug of the new owner.
  const others = Object.entries(owner).filter(
    ([name, value]) => name !== 'slug' || value !== former.slug,
  )
  return completeOwner(id, Object.fromEntries(others))
}

function checkSlug(former: JsonObject, { slug }: JsonObject, reference: JsonObject): void {
  if (slug === undefined || slug === former.slug || slug === reference.slug) return
  throw new BodyInvalid(
    `owner.slug must be ${quote(reference.slug)}, the slug of your account, not ${quote(slug)}`,
  )
}
