import { randomBytes } from 'node:crypto'

import { Errors } from '@sinclair/typebox/errors'

import {
  getNewItemSchema,
  getSeedSchema,
  listMissing,
  listMissingOfNew,
  touch,
} from '@materials-mock/api'
import {
  InputPath,
  compileValidator,
  describeSchemaError,
  findViolation,
  toObject,
} from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { MAX_ITEM_DEPTH, checkStoredValue, compileUpdate } from '@materials-mock/query'
import { toIdentifier } from '@materials-mock/structures'
import { createSeedContext } from '../../resources/seeding/common-fields.js'
import { BodyInvalid } from '../../errors.js'
import { describeResource } from '../../resources/resources.js'
import { patchOwner, resolveNewOwner, toReference, toSeedAccount } from './owner.js'
import type { WriteContext } from './owner.js'

/** A new item, and the paths of the fields that the mock has completed in place of the client. */
export interface CreatedItem {
  readonly item: JsonObject
  readonly completed: readonly string[]
}

const SCHEMA_VERSION = '0.2.0'

/**
 * What a whole item has besides is completed as a seed is. An `_id` in the body has no effect:
 * clients send whole items that were created elsewhere.
 * @param body valid against the resource's schema for new items
 * @throws BodyInvalid, BoundExceeded, OwnerForbidden
 */
export function createItem(resource: string, body: JsonObject, context: WriteContext): CreatedItem {
  checkStoredValue(body, new InputPath('body'))
  const { tags = [], isDefault = false, isEntitySet = false, inSet = [] } = body
  const setType = isEntitySet === true ? { entitySetType: 'unordered' } : {}
  const { item: isTyped } = describeResource(resource)
  const known = context.findSchemaVersion(resource) ?? (isTyped && SCHEMA_VERSION)
  const { schemaVersion = known } = body
  // The only copy: that of a body with 90,000 fields takes 50 ms.
  const item: JsonObject = { _id: '', ...setType, ...body }
  Object.assign(item, {
    _id: createId(),
    tags,
    isDefault,
    isEntitySet,
    inSet,
    ...(schemaVersion !== undefined && { schemaVersion }),
  })
  const created = describeResource(resource).create?.(item, context.related, context.now())
  const completed = listMissingOfNew(resource, created ?? item)
  if (completed.length > 0 && isEntitySet === true)
    throw new BodyInvalid('name must not be missing: every set has a name')
  if (completed.length > 0 && context.isStrict) throw incompleteError(resource, completed)
  const whole =
    completed.length > 0 ? completeItem(resource, created ?? item, context) : (created ?? item)
  if (whole !== item) checkDepth(whole) // a job has a whole workflow
  const assigned = assignFields(whole, body, context)
  checkStored(resource, assigned)
  return { item: assigned, completed }
}

const incompleteError = (resource: string, missing: readonly string[]): Error =>
  new BodyInvalid(
    `${missing.join(', ')} must not be missing: every item of /${resource} has ${missing.length === 1 ? 'it' : 'them'}, and --strict completes nothing`,
  )

/** Completes an item as a seed is completed. What is made up follows from the item. */
function completeItem(resource: string, item: JsonObject, context: WriteContext): JsonObject {
  const { _id, owner: _, creator: __, updatedAt: ___, ...given } = item
  const now = context.now()
  const account = toSeedAccount(context.account)
  const fields = { resource, index: 0, seed: 1, now, jobDuration: 0, account, accounts: [account] }
  const seedContext = createSeedContext(fields, JSON.stringify(given))
  const dated = { ...given, createdAt: new Date(now).toISOString() }
  const completed = describeResource(resource).complete?.(dated, seedContext, context.related)
  return { ...completed, _id: _id! }
}

/**
 * Refers to the original by its `exabyteId`, without its name in the bank.
 * @param accountId the owner; undefined for the account that writes
 * @throws OwnerForbidden
 */
export function copyBankItem(
  item: JsonObject,
  accountId: string | undefined,
  context: WriteContext,
): JsonObject {
  const { systemName: _, ...fields } = item
  const copied = { exabyteId: item._id!, ...fields, _id: createId(), isDefault: false }
  const body: JsonObject = accountId === undefined ? {} : { owner: { _id: accountId } }
  return assignFields(copied, body, context)
}

export function copyItem(resource: string, item: JsonObject, context: WriteContext): JsonObject {
  const copied = { ...item, _id: createId(), isDefault: false }
  return assignFields(
    describeResource(resource).copy?.(copied, context.now()) ?? copied,
    {},
    context,
  )
}

/**
 * Returns the same item if nothing changes.
 * @throws BodyInvalid; BoundExceeded for more than 1 MiB or 100 levels; TimeoutError for a slow
 * `$pull`; OwnerForbidden
 */
export function patchItem(
  resource: string,
  item: JsonObject,
  body: JsonObject,
  context: WriteContext,
): JsonObject {
  const now = context.now()
  const patched = compileUpdate(body)(item, now)
  if (patched === item) return item
  validatePatched(resource, item, patched, body)
  const owned = patchOwner(item, patched, body, context)
  if (findChanged(item, owned).length === 0) return item
  checkSize(owned, item)
  checkDepth(owned)
  const computed = describeResource(resource).patch?.(owned, item) ?? owned
  checkWhole(resource, computed, item)
  const changed = findChanged(item, computed).map((name) => [name, computed[name]] as const)
  checkStored(resource, toObject(Object.fromEntries(changed)))
  return touch(computed, context.account._id, now)
}

/** Checks that an item is no less whole than it was, and still an item or still a set. */
function checkWhole(resource: string, patched: JsonObject, former: JsonObject): void {
  const isSet = former.isEntitySet === true
  if ((patched.isEntitySet === true) !== isSet)
    throw new BodyInvalid(`isEntitySet must remain ${isSet}`)
  const known = new Set(listMissing(resource, former))
  const removed = listMissing(resource, patched).find((path) => !known.has(path))
  if (removed !== undefined)
    throw new BodyInvalid(`${removed} must not be removed: every item of /${resource} has it`)
}

/** What a client sends may have more: of the project of a job, only the `_id` is read. */
function checkStored(resource: string, fields: JsonObject): void {
  const error = compileValidator(getSeedSchema(resource), 'body')(fields)
  if (error !== undefined) throw error
}

/** The largest length of JSON to which a PATCH may extend an item: the size of the largest body. */
const MAX_ITEM_LENGTH = 1024 * 1024

/** Without a limit, repeated PATCHes could make it so large that one takes seconds. */
function checkSize(patched: JsonObject, former: JsonObject): void {
  const { length } = JSON.stringify(patched)
  if (length <= MAX_ITEM_LENGTH || length <= JSON.stringify(former).length) return
  throw new InputPath('body').limitError(
    `must leave the item at most ${MAX_ITEM_LENGTH} characters of JSON, not ${length}`,
  )
}

/** Checks the levels of an item. Each `$rename` could add some, and no fixtures have a deeper item. */
function checkDepth(item: JsonObject): void {
  if (findViolation(item, { maxDepth: MAX_ITEM_DEPTH })?.kind !== 'depth') return
  throw new InputPath('body').limitError(
    `must leave the item at most ${MAX_ITEM_DEPTH} levels of JSON`,
  )
}

/** The fields that the server assigns when an item is created, and that a PATCH can't change. */
const READ_ONLY_FIELDS = ['_id', 'creator', 'createdAt', 'createdBy'] as const

function validatePatched(
  resource: string,
  item: JsonObject,
  patched: JsonObject,
  body: JsonObject,
): void {
  for (const name of READ_ONLY_FIELDS) {
    if (patched[name] === item[name]) continue
    throw new BodyInvalid(
      `${name} is assigned by the server${patched[name] === undefined ? ", and can't be removed" : '; leave it out'}`,
    )
  }
  // Only materials are validated when they are loaded, so other fields may be invalid.
  const changed = Object.entries(patched).filter(([name, value]) => value !== item[name])
  const error = Errors(getNewItemSchema(resource), Object.fromEntries(changed)).First()
  if (error === undefined) return
  const description = describeSchemaError(error, 'the body')
  const unset = findUnset(body, error.path.slice(1).split('/'))
  throw new BodyInvalid(
    unset === undefined ? description : `body.$unset.${unset} must not be unset: ${description}`,
  )
}

const findChanged = (item: JsonObject, patched: JsonObject): string[] =>
  [...new Set([...Object.keys(item), ...Object.keys(patched)])].filter(
    (name) => item[name] !== patched[name],
  )

/** Returns the path in an `$unset` that has left a wrong value or no value at a path of the item. */
const findUnset = ({ $unset = {} }: JsonObject, path: readonly string[]): string | undefined =>
  Object.keys(toObject($unset)).find((each) => each === path.join('.'))

/** Sets the fields that the server assigns, in a new item itself. */
function assignFields(
  item: JsonObject,
  { owner = null }: JsonObject,
  context: WriteContext,
): JsonObject {
  const now = new Date(context.now()).toISOString()
  return Object.assign(item, {
    owner: resolveNewOwner({ owner }, context),
    creator: toReference(context.account, 'User'),
    createdAt: now,
    createdBy: context.account._id,
    updatedAt: now,
    updatedBy: context.account._id,
  })
}

const createId = (): string => toIdentifier(randomBytes(17))
