import { randomBytes } from 'node:crypto'

import { Value } from '@sinclair/typebox/value'

import { BodyInvalid, OwnerForbidden } from '../errors.js'
import { identifier } from '../materials/identifier.js'
import { checkStorable } from '../query/storable.js'
import { applyUpdate, compileUpdate } from '../query/update.js'
import { expectation, quote } from '../schemas/expectation.js'
import type { JsonObject } from '../schemas/json.js'
import { newItemOf } from '../schemas/new-item.js'
import { Place } from '../schemas/place.js'
import { ownerIdOf } from './access.js'
import { ownerOf, referenceTo } from './author.js'
import type { Author } from './author.js'
import { withComputedFields } from './computed-fields.js'
import { unsubmitted } from './job-status.js'

/**
 * A new item of a resource: the body, and over it what the server assigns and computes.
 * @param body of the resource's schema (`newItemOf`)
 * @throws BodyInvalid, BoundExceeded, OwnerForbidden
 */
export function createItem(resource: string, body: JsonObject, author: Author): JsonObject {
  if ('_id' in body) throw new BodyInvalid('_id is assigned by the server; leave it out')
  checkStorable(body, new Place('body'))
  const { tags = [], isDefault = false } = body
  const item = { _id: newId(), ...body, tags, isDefault }
  return assign(withOwnFields(resource, item), body, author)
}

/** A copy of an item: the author's, and not the default. A copied job is still to be submitted. */
export function copyItem(resource: string, item: JsonObject, author: Author): JsonObject {
  const copied = { ...item, _id: newId(), isDefault: false }
  return assign(isJob(resource, item) ? unsubmitted(copied) : copied, {}, author)
}

/**
 * What the body of a PATCH makes of an item: the same item where nothing changes.
 * @param budget how many milliseconds the conditions of `$pull` may take
 * @throws BodyInvalid, BoundExceeded, BudgetExceeded, OwnerForbidden
 */
export function patchItem(
  resource: string,
  item: JsonObject,
  body: JsonObject,
  author: Author,
  budget: number,
): JsonObject {
  const patched = applyUpdate(compileUpdate(body), item, budget)
  if (patched === item) return item
  checkPatched(resource, item, patched, author)
  return touch(isMaterial(resource) ? withComputedFields(patched, item) : patched)
}

/** The item with the time of its last change: now. */
export const touch = (item: JsonObject): JsonObject => ({
  ...item,
  updatedAt: new Date().toISOString(),
})

/** What the server assigns when an item is created, and a PATCH does not change. */
const KEPT = ['_id', 'creator', 'createdAt'] as const

function checkPatched(
  resource: string,
  item: JsonObject,
  patched: JsonObject,
  author: Author,
): void {
  for (const name of KEPT)
    if (patched[name] !== item[name])
      throw new BodyInvalid(`${name} is assigned by the server; leave it out`)
  const ownerId = ownerIdOf(patched)
  if (ownerId !== undefined && ownerId !== ownerIdOf(item) && isOther(ownerId, author))
    throw new OwnerForbidden(ownerId)
  // What the item had before, and the fixtures do not check, is not the patch's fault.
  const changed = Object.entries(patched).filter(([name, value]) => value !== item[name])
  checkTypes(resource, Object.fromEntries(changed))
}

const isOther = (ownerId: string, { account, accountIds }: Author): boolean =>
  ownerId !== account._id && accountIds.has(ownerId)

function checkTypes(resource: string, fields: JsonObject): void {
  const error = Value.Errors(newItemOf(resource), fields).First()
  if (error === undefined) return
  const path = error.path.slice(1).replaceAll('/', '.')
  throw new BodyInvalid(`${path} must be ${expectation(error.schema)}, not ${quote(error.value)}`)
}

function withOwnFields(resource: string, item: JsonObject): JsonObject {
  if (isMaterial(resource)) return withComputedFields(item)
  return isJob(resource, item) && item.status === undefined ? unsubmitted(item) : item
}

function assign(item: JsonObject, { owner = null }: JsonObject, author: Author): JsonObject {
  const now = new Date().toISOString()
  return {
    ...item,
    owner: ownerOf({ owner }, author),
    creator: referenceTo(author.account, 'User'),
    createdAt: now,
    updatedAt: now,
  }
}

const isMaterial = (resource: string): boolean => resource === 'materials'

const isJob = (resource: string, { isEntitySet }: JsonObject): boolean =>
  resource === 'jobs' && isEntitySet !== true

const newId = (): string => identifier(randomBytes(17))
