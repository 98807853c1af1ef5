import type { TSchema } from '@sinclair/typebox'

import { findValues, groupBy, isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'

import { ENTITY_FIELDS, isAlwaysThere } from './items/entity-fields.js'
import { SHAPES, getShape } from './resources.js'

export interface SchemaField {
  readonly resource: string
  /** The path, which goes through arrays: `basis.elements.value`. */
  readonly path: string
  readonly schema: TSchema
  /** Whether each item, or each object around the field, has the field. */
  readonly isAlways: boolean
}

export const SCHEMA_FIELDS: readonly SchemaField[] = Object.entries(SHAPES).flatMap(
  ([resource, { item }]) => (item === undefined ? [] : listFields(resource, item, '')),
)

function listFields(resource: string, object: TSchema, prefix: string): SchemaField[] {
  return Object.entries(object.properties as Record<string, TSchema>).flatMap(([name, schema]) => {
    const path = prefix + name
    const inner = findObjectSchema(schema)
    return [
      { resource, path, schema, isAlways: isAlwaysThere(object, name) },
      ...(inner === undefined ? [] : listFields(resource, inner, `${path}.`)),
    ]
  })
}

/** Returns the schema of a value that is an object, or of the elements of a list of objects. */
export function findObjectSchema(schema: TSchema): TSchema | undefined {
  if (schema.type === 'array') return findObjectSchema(schema.items as TSchema)
  return schema.type === 'object' ? schema : undefined
}

/** The fields that every item has, by resource. */
const ALWAYS = groupBy(
  SCHEMA_FIELDS.filter(({ isAlways }) => isAlways).map(({ resource, path }) => {
    const names = path.split('.')
    return { resource, path, parents: names.slice(0, -1), name: names.at(-1)! }
  }),
  ({ resource }) => resource,
)

/** Returns the paths of the fields that every item of the platform has, and that an item lacks. A set needs only a name. */
export function listMissing(resource: string, item: JsonObject): string[] {
  if (item.isEntitySet === true) return item.name === undefined ? ['name'] : []
  return (ALWAYS.get(resource) ?? [])
    .filter(({ parents, name }) =>
      findValues(item, parents).some(
        (parent) => isJsonObject(parent) && parent[name] === undefined,
      ),
    )
    .map(({ path }) => path)
}

const ASSIGNED = new Set(['_id', ...Object.keys(ENTITY_FIELDS).filter((name) => name !== 'name')])

/** Returns the paths of the fields that a client sends of a whole item, and that an item lacks. */
export function listMissingOfNew(resource: string, item: JsonObject): string[] {
  const { assigned = [] } = getShape(resource)
  return listMissing(resource, item).filter(
    (path) => !ASSIGNED.has(path.split('.')[0]!) && !assigned.includes(path),
  )
}
