import type { TSchema } from '@sinclair/typebox'

import { SCHEMA_FIELDS, SHAPES, findObjectSchema, resolveLists } from '@materials-mock/api'
import type { SchemaField } from '@materials-mock/api'
import { compileCheck, describeSchema, findValues, isJsonObject } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { ApiResponse } from '../api-client.js'
import { expectItems, expectSuccess } from '../expect.js'
import { listPath } from '../list-path.js'
import { Lack, Mismatch, words } from '../outcome.js'
import type { Probe } from '../probe.js'
import type { Item } from '../sample.js'
import type { Statement } from '../statement.js'

/** The statements on the items that lists return: each field matches the schema of the resource. */
export const SCHEMA: readonly Statement[] = SCHEMA_FIELDS.map((field) => ({
  id: `schema.${field.resource}.${field.path}`,
  title: `${field.resource}.${field.path} is ${describeField(field.schema)}${field.isAlways ? '' : ', if it is there'}`,
  level: 'schema',
  check: (probe) => expectField(probe, field),
}))

/** The number of items of a page, and of pages that are read. */
const PAGE = 100
const PAGES = 2

/** The number of items that are also read by their `_id`. */
const READ_BY_ID = 2

/** Describes a value whose inner fields have statements of their own. */
function describeField(schema: TSchema): string {
  if (findObjectSchema(schema) !== undefined)
    return schema.type === 'array' ? 'an array of objects' : 'an object'
  const elements = schema.type === 'array' ? `, each element ${describeSchema(schema.items)}` : ''
  return describeSchema(schema) + elements
}

/** Whether a value is valid, without its inner fields. */
function isOfType(schema: TSchema, value: Json): boolean {
  if (findObjectSchema(schema) === undefined) return compileCheck(schema)(value)
  if (schema.type === 'object') return isJsonObject(value)
  return Array.isArray(value) && value.every((each) => isOfType(schema.items as TSchema, each))
}

/** @throws Mismatch with the first wrong item, Lack if no item has the field */
async function expectField(probe: Probe, field: SchemaField): Promise<void> {
  const { resource, path, schema, isAlways } = field
  const items = await readItems(probe, resource).catch((error: unknown) => {
    // The statement on `_id` tells for all what is wrong with the answers.
    if (path === '_id' || !(error instanceof Mismatch)) throw error
    throw new Lack(`items of ${resource}`, 'answers without them')
  })
  const names = path.split('.')
  let count = 0
  for (const { item, path: itemPath } of items) {
    for (const parent of findValues(item, names.slice(0, -1)).filter(isJsonObject)) {
      const value = parent[names.at(-1) ?? '']
      // A set is an item without a structure.
      if (value === undefined && (!isAlways || item.isEntitySet === true)) continue
      count += 1
      if (value !== undefined && isOfType(schema, value)) continue
      const found = value === undefined ? 'missing' : value === null ? 'null' : excerpt(value)
      throw new Mismatch(
        words(`${describeField(schema)} at ${resource}.${path}`),
        words(
          `${resource}.${path} is ${found}, not ${describeField(schema)}, in the item ${JSON.stringify(item._id)}: ${excerpt(parent)}`,
        ),
        { path: itemPath(), headers: { ...probe.credentials } },
      )
    }
  }
  if (count === 0)
    throw new Lack(`an item with ${path}`, `none among ${items.length} of ${resource}`)
}

const excerpt = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** An item, and the path of a request that returns only this item. */
interface ReadItem {
  readonly item: Item
  readonly path: () => string
}

/**
 * Reads items of a resource: some pages of its list, and some items by their `_id`.
 * @throws Lack if the account can't list the resource, or if there are no items; Mismatch if an answer has
 * something else
 */
async function readItems(probe: Probe, resource: string): Promise<readonly ReadItem[]> {
  const form = resolveLists(resource, probe.deployment.lists ?? 'documented')
  const items: ReadItem[] = []
  const read = (path: string): Promise<ApiResponse> => probe.sendOnce(path, () => probe.get(path))
  for (let page = 0; page < PAGES; page += 1) {
    const path = listPath(resource, undefined, { skip: page * PAGE, limit: PAGE }, form)
    const response = await read(path)
    if (response.status >= 400 && response.status < 500)
      throw new Lack(`an answer to GET ${path}`, `status ${response.status}`)
    const found = expectItems(expectSuccess(response))
    for (const item of found)
      items.push({ item, path: () => listPath(resource, { _id: item._id }, undefined, form) })
    if (found.length < PAGE) break
  }
  if (items.length === 0) throw new Lack(`an item of ${resource}`, 'none that the account can list')
  for (const { item } of items.slice(0, READ_BY_ID)) {
    const path = `/${resource}/${encodeURIComponent(item._id)}`
    for (const found of expectItems([expectSuccess(await read(path))]))
      items.push({ item: found, path: () => path })
  }
  return items
}

/** Describes the fields of checked resources that no schema has. They are not a mistake. */
export async function describeUnknownFields(
  probe: Probe,
  statements: readonly Statement[],
): Promise<string[]> {
  const ids = new Set(statements.map(({ id }) => id))
  const notes: string[] = []
  for (const [resource, { item }] of Object.entries(SHAPES)) {
    if (item === undefined || !ids.has(`schema.${resource}._id`)) continue
    const items = await readItems(probe, resource).catch(() => [])
    const names = new Set(items.flatMap(({ item: each }) => Object.keys(each)))
    const unknown = [...names].filter((name) => !Object.hasOwn(item.properties, name))
    if (unknown.length > 0)
      notes.push(`${resource} has fields that its schema does not have: ${unknown.join(', ')}`)
  }
  return notes
}
