import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import { Job } from '../domain/items/job.js'
import { Project } from '../domain/items/project.js'
import { Property } from '../domain/items/property.js'
import { Workflow } from '../domain/items/workflow.js'
import { Material } from '../domain/items/material.js'

/** An item of a resource that has no schema of its own. Unknown fields are valid. */
export const Item = Type.Object(
  { _id: Type.String({ minLength: 1 }) },
  {
    $id: 'Item',
    additionalProperties: true,
    description: 'An item: an object with a string _id and any other fields.',
  },
)

/** The keywords that a projection can violate: it leaves out fields and slices arrays. */
const PRESENCE_KEYWORDS: ReadonlySet<string> = new Set(['required', 'minItems', '$id'])

/** The schemas of the items of some resources. Items of other resources need only an `_id`. */
export const ITEM_SCHEMAS: Readonly<Record<string, TSchema>> = {
  'bank-materials': Material,
  'bank-workflows': Workflow,
  jobs: Job,
  materials: Material,
  projects: Project,
  properties: Property,
  workflows: Workflow,
}

/** Returns the schema of a resource's items with all their fields. */
export const getItemSchema = (resource: string): TSchema => ITEM_SCHEMAS[resource] ?? Item

/** Returns the schema of a resource's items with the fields that a projection returns. */
export const getItemPartSchema = (resource: string): TSchema => toPartial(getItemSchema(resource))

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
