import { Type } from '@sinclair/typebox'
import type { Static, TOptional, TProperties, TSchema } from '@sinclair/typebox'

import { OptionalText, StringEnum, Text } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'

/** The mark of a field that the platform's items always have. */
const ALWAYS = Symbol('always')

/**
 * Marks a field that every item of the platform has, except sets. `check` expects the field, and the
 * client's types have it. It is optional in fixtures and in requests.
 */
export const Always = <T extends TSchema>(schema: T): TOptional<T> =>
  Type.Optional({ ...schema, [ALWAYS]: true } as T) as TOptional<T>

/** Whether the platform's items always have a field: it is required, or marked with `Always`. */
export const isAlwaysThere = (object: TSchema, name: string): boolean =>
  (object.required as readonly string[] | undefined)?.includes(name) === true ||
  (object.properties as Record<string, Record<symbol, unknown>>)[name]?.[ALWAYS] === true

export const Reference = Type.Object({
  _id: Always(Type.String({ description: 'The _id of the account or the user.' })),
  slug: Always(OptionalText('demo', 'The name in URLs.')),
  cls: Always(
    OptionalText('Account', 'The type of the reference: Account for an owner, User for a creator.'),
  ),
})

export const SetType = StringEnum(['unordered', 'ordered'])

export const SetMembership = Type.Object({
  _id: Always(Type.String({ description: 'The _id of the set.' })),
  type: OptionalText('unordered', 'Whether the set has an order: ordered or unordered.'),
  index: Type.Optional(
    Type.Number({ description: 'The position in an ordered set, from 0 on.', examples: [0] }),
  ),
})
export type SetMembership = Static<typeof SetMembership>

export const AnyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }))

/** The `_id` of an account, or null if no account has done it. */
const AccountId = (description: string) =>
  Type.Optional(Type.Union([Text('K3b8xTqWn5RzLc7Fd'), Type.Null()], { description }))

export const ENTITY_FIELDS = {
  name: OptionalText('Total Energy', 'The name.'),
  tags: Always(Type.Array(Type.String(), { description: 'The tags.', examples: [['dft']] })),
  metadata: Type.Optional(AnyObject('Any data of users.')),
  isDefault: Always(Type.Boolean({ description: 'Whether the item is the default of its owner.' })),
  isEntitySet: Always(Type.Boolean({ description: 'Whether the item is a set of items.' })),
  owner: Always(
    Type.Object(Reference.properties, { description: 'The account that owns the item.' }),
  ),
  creator: Always(
    Type.Object(Reference.properties, { description: 'The user who created the item.' }),
  ),
  inSet: Always(Type.Array(SetMembership, { description: 'The sets that the item is in.' })),
  schemaVersion: Always(OptionalText('2022.8.16', 'The version of the schema of the item.')),
  createdAt: Always(
    OptionalText('2024-03-14T09:26:53.000Z', 'The time of creation, in UTC (ISO 8601).'),
  ),
  createdBy: Always(AccountId('The _id of the account that created the item.')),
  updatedAt: Always(
    OptionalText('2024-03-14T09:26:53.000Z', 'The time of the last change, in UTC (ISO 8601).'),
  ),
  updatedBy: Always(AccountId('The _id of the account that made the last change.')),
}

export const ItemId = Type.String({
  minLength: 1,
  description: 'The identifier, which the server assigns.',
  examples: ['K3b8xTqWn5RzLc7Fd'],
})

/**
 * Optional fields except `_id`; unknown ones are valid.
 * @param description default: its name
 */
export const EntitySchema = <Fields extends TProperties>(
  $id: string,
  fields: Fields,
  description = `A ${$id.toLowerCase()}.`,
) =>
  Type.Object(
    { _id: ItemId, ...ENTITY_FIELDS, ...fields },
    { $id, additionalProperties: true, description: `${description} Unknown fields are valid.` },
  )

/**
 * @param accountId the account that changes the item
 * @param now in ms since the epoch
 */
export const touch = (item: JsonObject, accountId: string, now: number): JsonObject => ({
  ...item,
  updatedAt: new Date(now).toISOString(),
  updatedBy: accountId,
})
