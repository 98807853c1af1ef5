import { Type } from '@sinclair/typebox'
import type { TObject, TProperties, TSchema } from '@sinclair/typebox'

import { OptionalText } from '@materials-mock/json'
import { ENTITY_FIELDS, ItemId, SetMembership, SetType } from './items/entity-fields.js'
import { getShape } from './resources.js'

/** An item of a resource without a schema of its own. Unknown fields are valid. */
export const Item = Type.Object(
  { _id: Type.String({ minLength: 1 }) },
  {
    $id: 'Item',
    additionalProperties: true,
    description: 'An item: an object with a string _id and any other fields.',
  },
)

export const getItemSchema = (resource: string): TSchema => getShape(resource).item ?? Item

/** The keywords that a projection can violate: it leaves out fields and slices arrays. */
const PRESENCE_KEYWORDS: ReadonlySet<string> = new Set(['required', 'minItems', '$id'])

/** Returns the schema of a resource's items with the fields that a projection returns: all are optional, at all levels. */
export function getItemPartSchema(resource: string): TSchema {
  const schema = getItemSchema(resource)
  return {
    ...(withoutPresenceKeywords(schema) as TSchema),
    $id: `${schema.$id}Part`,
    description:
      'An item with the fields that the projection returns. By default, it has all fields.',
  }
}

function withoutPresenceKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPresenceKeywords)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !PRESENCE_KEYWORDS.has(keyword))
      .map(([keyword, value]) => [keyword, withoutPresenceKeywords(value)]),
  )
}

/** The owner of a new item. Without an `_id`, or with null, it is the account of the request. */
const Owner = Type.Union([
  Type.Null(),
  Type.Object({
    _id: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
    slug: Type.Optional(Type.String()),
    cls: Type.Optional(Type.Literal('Account')),
  }),
])

/** The fields that the server reads from the items of every resource. */
const COMMON_FIELDS = {
  _id: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'An _id has no effect: the server assigns its own.',
    }),
  ),
  name: OptionalText('Silicon FCC'),
  tags: Type.Optional(Type.Array(Type.String(), { examples: [['elemental']] })),
  isDefault: Type.Optional(Type.Boolean()),
  isEntitySet: Type.Optional(Type.Boolean({ description: 'Whether the item is a set of items.' })),
  entitySetType: Type.Optional(SetType),
  inSet: Type.Optional(Type.Array(SetMembership)),
  owner: Type.Optional(Owner),
}

const NewItem = Type.Object(COMMON_FIELDS, {
  $id: 'NewItem',
  additionalProperties: true,
  description: 'An item. The server assigns its _id.',
})

/** Returns the schema of a resource's new items. It also validates the fields that a PATCH changes. */
export function getNewItemSchema(resource: string): TObject {
  const { item, newFields = {} } = getShape(resource)
  if (item === undefined) return NewItem
  return Type.Object(
    { ...item.properties, ...COMMON_FIELDS, ...newFields },
    {
      $id: `New${item.$id}`,
      additionalProperties: true,
      description: `A ${item.$id?.toLowerCase()}. The server assigns its _id.`,
    },
  )
}

export function getNewSetSchema(resource: string): TObject {
  const { properties, $id } = getNewItemSchema(resource)
  return Type.Object(
    {
      ...properties,
      name: Type.String({ minLength: 1, examples: ['Semiconductors'] }),
      isEntitySet: Type.Optional(Type.Literal(true)),
    },
    {
      $id: `${$id}Set`,
      additionalProperties: true,
      description: 'A set: an item with a name.',
      examples: [{ name: 'Semiconductors' }],
    },
  )
}

/** The schemas of partial items by the fields of whole items, so that each is compiled once. */
const SEED_SCHEMAS = new WeakMap<TProperties, TObject>()

export function getSeedSchema(resource: string): TObject {
  const fields = getShape(resource).item?.properties ?? ENTITY_FIELDS
  const known = SEED_SCHEMAS.get(fields)
  if (known !== undefined) return known
  const schema = Type.Object(
    { ...fields, _id: Type.Optional(ItemId) },
    { additionalProperties: true },
  )
  SEED_SCHEMAS.set(fields, schema)
  return schema
}

/** Fields by path, or MongoDB's update operators. `query/update/` validates its content. */
export const PatchBody = Type.Object(
  {},
  {
    $id: 'Patch',
    additionalProperties: true,
    description:
      "The fields to set, by path, or MongoDB's update operators, optionally with arrayFilters.",
    examples: [
      { 'metadata.checked': true },
      { $push: { tags: 'checked' }, $mul: { 'metadata.scale': 2 } },
      { $set: { 'metadata.runs.$[run].ok': true }, arrayFilters: [{ 'run.code': 0 }] },
    ],
  },
)
