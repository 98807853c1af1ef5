import { Type } from '@sinclair/typebox'
import type { Static, TOptional, TString } from '@sinclair/typebox'

import { StringEnum } from '../../json/string-enum.js'
import type { JsonObject } from '../../json/json.js'

/** An optional text. */
export const OptionalString = (example: string, description?: string): TOptional<TString> =>
  Type.Optional(Type.String({ ...(description && { description }), examples: [example] }))

/** A reference to the owner or the creator of an item. */
const Reference = Type.Object({
  _id: Type.Optional(Type.String()),
  slug: OptionalString('demo'),
  cls: OptionalString(
    'Account',
    'The type of the reference: Account for an owner, User for a creator.',
  ),
})
type Reference = Static<typeof Reference>

/** The type of a set: whether its items have an order. */
export const SetType = StringEnum(['unordered', 'ordered'])

/** A set that an item is in. */
export const SetMembership = Type.Object({
  _id: Type.Optional(Type.String()),
  type: OptionalString('unordered'),
  index: Type.Optional(
    Type.Number({ description: 'The position in an ordered set, from 0 on.', examples: [0] }),
  ),
})
export type SetMembership = Static<typeof SetMembership>

/** An object of any content. */
export const AnyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }))

/** The `_id` of an account, or null for what no account has made. */
const AccountId = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ examples: ['K3b8xTqWn5RzLc7Fd'] }), Type.Null()], { description }),
  )

/** The fields that the items of all documented resources have. All are optional. */
export const ENTITY_FIELDS = {
  name: Type.Optional(Type.String({ examples: ['Total Energy'] })),
  tags: Type.Optional(Type.Array(Type.String(), { examples: [['dft']] })),
  metadata: Type.Optional(AnyObject('Any data of the users.')),
  isDefault: Type.Optional(
    Type.Boolean({ description: 'Whether it is the default of its owner.' }),
  ),
  isEntitySet: Type.Optional(Type.Boolean({ description: 'Whether it is a set of items.' })),
  owner: Type.Optional(Reference),
  creator: Type.Optional(Reference),
  inSet: Type.Optional(Type.Array(SetMembership)),
  schemaVersion: OptionalString('2022.8.16'),
  createdAt: OptionalString('2024-03-14T09:26:53.000Z', 'The time in UTC (ISO 8601).'),
  createdBy: AccountId('The _id of the account that created it.'),
  updatedAt: OptionalString('2024-03-14T09:26:53.000Z', 'The time in UTC (ISO 8601).'),
  updatedBy: AccountId('The _id of the account that changed it last.'),
}

/** The `_id` of an item. */
export const ItemId = Type.String({ minLength: 1, examples: ['K3b8xTqWn5RzLc7Fd'] })

/**
 * Returns the item with `updatedAt` set to the current time (ISO 8601, UTC).
 * @param accountId the `_id` of the account that changes the item
 */
export const touch = (item: JsonObject, accountId: string): JsonObject => ({
  ...item,
  updatedAt: new Date().toISOString(),
  updatedBy: accountId,
})
