import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import { Material } from './material.js'

/** An item of a resource that has no schema of its own. Unknown fields are valid. */
export const Item = Type.Object(
  { _id: Type.String({ minLength: 1 }) },
  {
    $id: 'Item',
    additionalProperties: true,
    description: 'An item: an object with a string _id and any other fields.',
  },
)

/** The schemas of a resource's items. */
export interface ItemSchemas {
  /** An item with all its fields. */
  readonly full: TSchema
  /** An item with the fields that a projection returns. */
  readonly partial: TSchema
}

/** The keywords that a projection can violate: it leaves out fields and slices arrays. */
const PRESENCE_KEYWORDS: ReadonlySet<string> = new Set(['required', 'minItems', '$id'])

const MATERIAL: ItemSchemas = { full: Material, partial: toPartial(Material) }
const OTHER: ItemSchemas = { full: Item, partial: toPartial(Item) }

/** Returns the schemas of a resource's items. Only materials have their own. */
export const getItemSchemas = (resource: string): ItemSchemas =>
  resource === 'materials' ? MATERIAL : OTHER

/** Returns the same schema with every field optional, at all levels. */
function toPartial(schema: TSchema): TSchema {
  return {
    ...(withoutPresenceKeywords(schema) as TSchema),
    $id: `${schema.$id}Part`,
    description: 'An item with the fields that the projection returns. By default, all of them.',
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
