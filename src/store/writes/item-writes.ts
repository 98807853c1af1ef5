import { randomBytes } from 'node:crypto'

import { Value } from '@sinclair/typebox/value'

import { BodyInvalid, OwnerForbidden } from '../../errors.js'
import { identifier } from '../../domain/identifier.js'
import { rulesFor } from '../../domain/resource-rules.js'
import { touch } from '../../domain/timestamps.js'
import { checkStoredValue } from '../../query/update/stored-value-rules.js'
import { applyUpdate, compileUpdate } from '../../query/update/compile-update.js'
import { describeSchemaError } from '../../validation/describe-schema-error.js'
import type { JsonObject } from '../../json/json.js'
import { newItemOf } from '../../schemas/write-bodies.js'
import { InputPath } from '../../json/input-path.js'
import { ownerIdOf } from '../visibility.js'
import { ownerOf, referenceTo } from './write-context.js'
import type { WriteContext } from './write-context.js'

/**
 * A new item of a resource: the body, and over it what the server assigns and computes.
 * @param body of the resource's schema (`newItemOf`)
 * @throws BodyInvalid, BoundExceeded, OwnerForbidden
 */
export function createItem(resource: string, body: JsonObject, context: WriteContext): JsonObject {
  if ('_id' in body) throw new BodyInvalid('_id is assigned by the server; leave it out')
  checkStoredValue(body, new InputPath('body'))
  const { tags = [], isDefault = false } = body
  const item = { _id: newId(), ...body, tags, isDefault }
  return assign(rulesFor(resource).create(item), body, context)
}

/** A copy of an item: the context's, and not the default. A copied job is still to be submitted. */
export function copyItem(resource: string, item: JsonObject, context: WriteContext): JsonObject {
  const copied = { ...item, _id: newId(), isDefault: false }
  return assign(rulesFor(resource).copy(copied), {}, context)
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
  context: WriteContext,
  budget: number,
): JsonObject {
  const patched = applyUpdate(compileUpdate(body), item, budget)
  if (patched === item) return item
  checkPatched(resource, item, patched, context)
  return touch(rulesFor(resource).patch(patched, item))
}

/** What the server assigns when an item is created, and a PATCH does not change. */
const KEPT = ['_id', 'creator', 'createdAt'] as const

function checkPatched(
  resource: string,
  item: JsonObject,
  patched: JsonObject,
  context: WriteContext,
): void {
  for (const name of KEPT) {
    if (patched[name] !== item[name])
      throw new BodyInvalid(`${name} is assigned by the server; leave it out`)
  }
  const ownerId = ownerIdOf(patched)
  if (ownerId !== undefined && ownerId !== ownerIdOf(item) && isOther(ownerId, context))
    throw new OwnerForbidden(ownerId)
  // What the item had before, and the fixtures do not check, is not the patch's fault.
  const changed = Object.entries(patched).filter(([name, value]) => value !== item[name])
  checkTypes(resource, Object.fromEntries(changed))
}

const isOther = (ownerId: string, { account, accountIds }: WriteContext): boolean =>
  ownerId !== account._id && accountIds.has(ownerId)

function checkTypes(resource: string, fields: JsonObject): void {
  const error = Value.Errors(newItemOf(resource), fields).First()
  if (error === undefined) return
  throw new BodyInvalid(describeSchemaError(error, 'the body'))
}

function assign(item: JsonObject, { owner = null }: JsonObject, context: WriteContext): JsonObject {
  const now = new Date().toISOString()
  return {
    ...item,
    owner: ownerOf({ owner }, context),
    creator: referenceTo(context.account, 'User'),
    createdAt: now,
    updatedAt: now,
  }
}

const newId = (): string => identifier(randomBytes(17))
