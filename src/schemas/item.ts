import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import { Material } from './material.js'

/** An item of a resource that has no schema of its own. Unknown fields pass. */
export const Item = Type.Object(
  { _id: Type.String({ minLength: 1 }) },
  {
    $id: 'Item',
    additionalProperties: true,
    description: 'An item: an object with a string _id, served whole',
  },
)

/** What the items of one resource are. */
export interface ItemSchemas {
  /** One item. */
  readonly whole: TSchema
  /** What `fields` leaves of one. */
  readonly part: TSchema
}

/** What may be missing from an object, or from a list (`$slice`), in a part of an item. */
const DEMANDS: ReadonlySet<string> = new Set(['required', 'minItems', '$id'])

const MATERIAL: ItemSchemas = { whole: Material, part: partOf(Material) }
const OTHER: ItemSchemas = { whole: Item, part: partOf(Item) }

/** The schemas of a resource's items: only materials have their own. */
export const itemSchemasOf = (resource: string): ItemSchemas =>
  resource === 'materials' ? MATERIAL : OTHER

/** The same schema with nothing in it demanded: what is there has the right type. */
function partOf(schema: TSchema): TSchema {
  return {
    ...(withoutDemands(schema) as TSchema),
    $id: `${schema.$id}Part`,
    description: 'What fields leaves of an item: all of it where there is no fields',
  }
}

function withoutDemands(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDemands)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !DEMANDS.has(key))
      .map(([key, value]) => [key, withoutDemands(value)]),
  )
}
