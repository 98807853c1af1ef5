import { BodyInvalid, OwnerForbidden } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { equalValues } from '../../query/values/compare-values.js'
import { ownerIdOf } from '../visibility.js'
import { isOtherAccount, toReference } from './write-context.js'
import type { WriteContext } from './write-context.js'

/** The fields of a reference to an owner that the server assigns. */
const REFERENCE_FIELDS = ['_id', 'slug', 'cls'] as const

/**
 * Returns an item whose owner a PATCH has changed with a whole owner. As in a new item, null means
 * the account that writes. A field that the PATCH does not name is that of the new owner.
 * @param item the item before the PATCH
 * @param patched the item after it, whose `owner` is valid against the schema of new items
 * @param body the body of the PATCH
 * @throws BodyInvalid for an `$unset` or `$rename` of the owner, and for a slug that is not the account's
 * @throws OwnerForbidden for a new owner that is another account of the fixtures
 */
export function patchOwner(
  item: JsonObject,
  patched: JsonObject,
  body: JsonObject,
  context: WriteContext,
): JsonObject {
  if (patched.owner === item.owner) return patched
  checkNotRemoved(body)
  const former = isJsonObject(item.owner) ? item.owner : {}
  const owner = resolveChangedOwner(former, (patched.owner ?? {}) as JsonObject, context)
  return {
    ...patched,
    owner: equalValues(owner, item.owner ?? null) ? (item.owner as Json) : owner,
  }
}

function checkNotRemoved(body: JsonObject): void {
  for (const operator of ['$unset', '$rename']) {
    const path = Object.keys((body[operator] ?? {}) as JsonObject).find((each) =>
      OWNER_PATH.test(each),
    )
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
  // The slug that the former owner had is not that of the new one.
  const others = Object.entries(owner).filter(
    ([name, value]) => name !== 'slug' || value !== former.slug,
  )
  return Object.fromEntries(others)
}

function checkSlug(former: JsonObject, { slug }: JsonObject, reference: JsonObject): void {
  if (slug === undefined || slug === former.slug || slug === reference.slug) return
  throw new BodyInvalid(
    `owner.slug must be ${quote(reference.slug)}, that of your account, not ${quote(slug)}`,
  )
}
