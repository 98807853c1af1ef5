import { Type } from '@sinclair/typebox'

import { OptionalString, Reference, SetMembership } from '../material.js'

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
