import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'

/** Examples of a parameter by name, as in OpenAPI 3.1 (section 4.8.19, Example Object). */
export type ParameterExamples = Readonly<
  Record<string, { readonly summary?: string; readonly value: Json }>
>

/** Returns an example of the `id` parameter: the `_id` of an item. */
export const idExamples = (item: JsonObject): ParameterExamples => ({
  one: { summary: String(item.name ?? item._id), value: item._id as string },
})

/** Returns queries that match an item: an equality, a dotted path, a range, a pattern. */
export function queryExamples(item: JsonObject): ParameterExamples {
  const key = findTextKey(item)
  const text = item[key] as string
  const leaves = listLeaves(item)
  const nested = leaves.find(
    ([path, value]) => /^\w+\.\w+$/.test(path) && typeof value === 'string',
  )
  const number = leaves.find(([, value]) => typeof value === 'number')
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

/** Returns projections that sort, page and select the fields of such items. */
export function projectionExamples(item: JsonObject): ParameterExamples {
  const key = findTextKey(item)
  return {
    first: { summary: 'The first ten', value: { sort: { [key]: 1 }, limit: 10 } },
    second: { summary: 'The next ten', value: { sort: { [key]: 1 }, skip: 10, limit: 10 } },
    fields: { summary: 'One field of each', value: { fields: { [key]: 1 }, limit: 500 } },
  }
}

/** Finds the field with a text by which a person recognizes the item. */
const findTextKey = (item: JsonObject): string =>
  ['formula', 'name'].find((key) => typeof item[key] === 'string') ?? '_id'

/** Lists the values that are neither objects nor arrays, by their dotted paths. */
function listLeaves(object: JsonObject, prefix = ''): [path: string, value: Json][] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (!/^\w+$/.test(key) || key.startsWith('__')) return []
    const path = prefix + key
    if (isJsonObject(value)) return listLeaves(value, `${path}.`)
    return Array.isArray(value) ? [] : [[path, value] as [string, Json]]
  })
}

function rangeAround(value: Json): JsonObject {
  const floor = Math.floor(value as number)
  return { $gte: floor, $lt: floor + 1 }
}

const escapePattern = (text: string): string => text.replace(/[^\w ]/g, '\\$&')
