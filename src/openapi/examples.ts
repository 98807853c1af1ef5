import type { TSchema } from '@sinclair/typebox'

import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import type { Store } from '../store/store.js'
import { idExamples, projectionExamples, queryExamples } from './list-examples.js'
import type { ParameterExamples } from './list-examples.js'

/** What the document shows, taken from what is served at that moment, so that it works. */
export interface DocumentExamples {
  /** Examples of parameters, by the parameter's name. */
  readonly parameters: Readonly<Record<string, ParameterExamples>>
  /** An example of each schema that has an `$id`, by that. */
  readonly schemas: Readonly<Record<string, Json>>
}

/** Of the length and the letters that a session's token has; of no session. */
const EXAMPLE_TOKEN = 'Example'.padEnd(43, '-')

/**
 * What to show for the routes of one tag, as the first account sees it: for a resource, the
 * account's default item, or else the first.
 */
export function collectExamples(tag: string, store: Store): DocumentExamples {
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
  const item = sampleItem(tag, store, _id)
  if (item === undefined) return { parameters: {}, schemas }
  return {
    parameters: {
      id: idExamples(item),
      query: queryExamples(item),
      projection: projectionExamples(item),
    },
    schemas: {
      ...schemas,
      Item: item,
      ItemPart: item,
      NewItem: newItemLike(item),
      Material: item,
      MaterialPart: item,
      NewMaterial: newItemLike(item),
    },
  }
}

/**
 * An example of a schema: of its parts, where there is one of each that it demands; undefined where
 * there is none.
 */
export function exampleOf(schema: TSchema, known: DocumentExamples): Json | undefined {
  const { $id, type, items, properties, required = [], examples } = schema
  const served = $id === undefined ? undefined : known.schemas[$id]
  if (served !== undefined) return served
  if ('const' in schema) return schema.const
  if (Array.isArray(examples)) return examples[0]
  if (type === 'array') {
    const element = exampleOf(items, known)
    return element === undefined ? undefined : [element]
  }
  if (!isJsonObject(properties)) return undefined
  const parts = Object.entries(properties as Record<string, TSchema>).flatMap(([key, part]) => {
    const example = exampleOf(part, known)
    return example === undefined ? [] : [[key, example] as const]
  })
  const object = Object.fromEntries(parts)
  return required.every((key: string) => key in object) ? object : undefined
}

function sampleItem(resource: string, store: Store, accountId: string): JsonObject | undefined {
  const accepts = store.visibleTo(accountId)
  const entries = store.collections.get(resource)?.save() ?? []
  const byDefault = entries.find((entry) => entry.item.isDefault === true && accepts(entry))
  return (byDefault ?? entries.find(accepts))?.item
}

/** What a client says of a new item, as far as this one has it: the server computes the rest. */
function newItemLike(item: JsonObject): JsonObject {
  const given = ['name', 'lattice', 'basis', 'tags'].filter((key) => key in item)
  return Object.fromEntries(given.map((key) => [key, item[key] as Json]))
}
