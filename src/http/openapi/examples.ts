import type { TSchema } from '@sinclair/typebox'

import { getItemSchema } from '@materials-mock/api'
import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { describeResource } from '../../resources/resources.js'
import type { Store } from '../../store/store.js'

/** Examples of a parameter by name, as in OpenAPI 3.1 (section 4.8.19, Example Object). */
export type ParameterExamples = Readonly<
  Record<string, { readonly summary?: string; readonly value: Json }>
>

/** From current items, so they work. Without one, they show an item that the mock completes. */
export interface DocumentExamples {
  readonly parameters: Readonly<Record<string, ParameterExamples>>
  /** One example of each named schema, by its `$id`. */
  readonly schemas: Readonly<Record<string, Json>>
}

export interface DocumentedItems {
  readonly store: Store
  /** Returns a plausible item of a resource that has none. */
  readonly complete: (resource: string, store: Store) => JsonObject
}

/** A text with the length and the letters of a session's token, which is valid for no session. */
const EXAMPLE_TOKEN = 'Example'.padEnd(43, '-')

/** The largest item that is an example, in characters of JSON: the document has it nine times. */
const MAX_EXAMPLE = 64 * 1024

/** As the first account sees the items: its default item of a resource, or else the first one. */
export function collectExamples(
  tag: string,
  { store, complete }: DocumentedItems,
): DocumentExamples {
  const [account] = store.accounts
  if (account === undefined) return { parameters: {}, schemas: {} }
  const { _id, username, password } = account
  const schemas = {
    Login: { username, password },
    Credentials: {
      'X-Account-Id': _id,
      'X-Auth-Token': EXAMPLE_TOKEN,
    },
  }
  const item = findExampleItem(tag, store, _id)
  if (item === undefined || JSON.stringify(item).length > MAX_EXAMPLE) {
    const completed = store.collections.has(tag) ? complete(tag, store) : undefined
    return { parameters: {}, schemas: { ...schemas, ...(completed && toExamples(tag, completed)) } }
  }
  return {
    parameters: {
      id: idExamples(item),
      query: queryExamples(item),
      projection: projectionExamples(item),
    },
    schemas: {
      ...schemas,
      ...toExamples(tag, item),
    },
  }
}

function toExamples(resource: string, item: JsonObject): DocumentExamples['schemas'] {
  const { $id: name = '' } = getItemSchema(resource)
  return { [name]: item, [`${name}Part`]: item, [`New${name}`]: toNewItem(resource, item) }
}

/** Its own example, or those of its properties; undefined if a required property has none. */
export function findExample(schema: TSchema, examples: DocumentExamples): Json | undefined {
  const { $id, type, items, properties, required = [], examples: own } = schema
  const named = $id === undefined ? undefined : examples.schemas[$id]
  if (named !== undefined) return named
  if ('const' in schema) return schema.const
  if (Array.isArray(own)) return own[0]
  if (type === 'array') {
    const element = findExample(items, examples)
    return element === undefined ? undefined : [element]
  }
  if (properties === undefined) return undefined
  const parts = Object.entries<TSchema>(properties).flatMap(([key, property]) => {
    const example = findExample(property, examples)
    return example === undefined ? [] : [[key, example] as const]
  })
  const object = Object.fromEntries(parts)
  return required.every((key: string) => key in object) ? object : undefined
}

function findExampleItem(
  resource: string,
  store: Store,
  accountId: string,
): JsonObject | undefined {
  const isVisible = store.visibleTo(accountId)
  const collection = store.collections.get(resource)
  const [byDefault] = collection?.listDefaults(isVisible) ?? []
  return (byDefault ?? collection?.entries.find(isVisible))?.item
}

/** Returns the body that would create an item like this one. A reference to another item is its `_id` alone. */
function toNewItem(resource: string, item: JsonObject): JsonObject {
  const sent = { name: [], tags: [], ...describeResource(resource).sent }
  const fields = Object.entries<readonly string[]>(sent).flatMap(([key, computed]) => {
    const value = item[key]
    if (!isJsonObject(value)) return value === undefined ? [] : [[key, value]]
    const { _id } = value
    const parts = Object.entries(value).filter(([part]) => !computed.includes(part))
    return [[key, _id === undefined ? Object.fromEntries(parts) : { _id }]]
  })
  return Object.fromEntries(fields)
}

const idExamples = (item: JsonObject): ParameterExamples => ({
  one: { summary: String(item.name ?? item._id), value: String(item._id) },
})

function queryExamples(item: JsonObject): ParameterExamples {
  const key = findTextKey(item)
  const text = String(item[key])
  const leaves = listLeaves(item)
  const nested = leaves.find(
    ([path, value]) => /^\w+\.\w+$/.test(path) && typeof value === 'string',
  )
  const number = leaves.find((leaf): leaf is [string, number] => typeof leaf[1] === 'number')
  return {
    equal: { summary: 'An equality', value: { [key]: text } },
    ...(nested && {
      nested: { summary: 'A dotted path', value: { [nested[0]]: { $in: [nested[1]] } } },
    }),
    ...(number && {
      range: { summary: 'A range', value: { [number[0]]: rangeAround(number[1]) } },
    }),
    pattern: {
      summary: 'A regular expression',
      value: { [key]: { $regex: `^${escapePattern(text.slice(0, 3))}`, $options: 'i' } },
    },
    all: { summary: 'All items', value: {} },
  }
}

function projectionExamples(item: JsonObject): ParameterExamples {
  const key = findTextKey(item)
  return {
    first: { summary: 'The first ten', value: { sort: { [key]: 1 }, limit: 10 } },
    second: { summary: 'The next ten', value: { sort: { [key]: 1 }, skip: 10, limit: 10 } },
    fields: { summary: 'One field of each', value: { fields: { [key]: 1 }, limit: 500 } },
  }
}

/** Finds the field with a text that identifies the item for a person. */
const findTextKey = (item: JsonObject): string =>
  ['formula', 'name'].find((key) => typeof item[key] === 'string') ?? '_id'

function listLeaves(object: JsonObject, prefix = ''): [path: string, value: Json][] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (!/^\w+$/.test(key) || key.startsWith('__')) return []
    const path = prefix + key
    if (isJsonObject(value)) return listLeaves(value, `${path}.`)
    return Array.isArray(value) ? [] : [[path, value]]
  })
}

function rangeAround(value: number): JsonObject {
  const floor = Math.floor(value)
  return { $gte: floor, $lt: floor + 1 }
}

const escapePattern = (text: string): string => text.replace(/[^\w ]/g, '\\$&')
