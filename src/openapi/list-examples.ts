import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'

/** Examples by name, as OpenAPI 3.1 has them (section 4.8.19, Example Object). */
export type ParameterExamples = Readonly<
  Record<string, { readonly summary?: string; readonly value: Json }>
>

/** The `_id` of an item. */
export const idExamples = (item: JsonObject): ParameterExamples => ({
  one: { summary: String(item.name ?? item._id), value: item._id as string },
})

/** Queries that find an item, among others: of equality, of a dotted path, of operators. */
export function queryExamples(item: JsonObject): ParameterExamples {
  const key = textKeyOf(item)
  const text = item[key] as string
  const leaves = leavesOf(item)
  const nested = leaves.find(
    ([path, value]) => /^\w+\.\w+$/.test(path) && typeof value === 'string',
  )
  const number = leaves.find(([, value]) => typeof value === 'number')
  return {
    equal: { summary: 'What is equal', value: { [key]: text } },
    ...(nested && {
      nested: { summary: 'A path into the item', value: { [nested[0]]: { $in: [nested[1]] } } },
    }),
    ...(number && {
      range: { summary: 'A range', value: { [number[0]]: rangeAround(number[1]) } },
    }),
    pattern: {
      summary: 'A regular expression',
      value: { [key]: { $regex: `^${escapePattern(text.slice(0, 3))}`, $options: 'i' } },
    },
    all: { summary: 'Everything', value: {} },
  }
}

/** Projections that sort, cut and shape a list of such items. */
export function projectionExamples(item: JsonObject): ParameterExamples {
  const key = textKeyOf(item)
  return {
    first: { summary: 'The first ten', value: { sort: { [key]: 1 }, limit: 10 } },
    second: { summary: 'The next ten', value: { sort: { [key]: 1 }, skip: 10, limit: 10 } },
    fields: { summary: 'One field of each', value: { fields: { [key]: 1 }, limit: 500 } },
  }
}

/** What items are told apart by, for a person. */
const textKeyOf = (item: JsonObject): string =>
  ['formula', 'name'].find((key) => typeof item[key] === 'string') ?? '_id'

/** All that is neither an object nor a list, by its dotted path. */
function leavesOf(object: JsonObject, prefix = ''): [path: string, value: Json][] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (!/^\w+$/.test(key) || key.startsWith('__')) return []
    const path = prefix + key
    if (isJsonObject(value)) return leavesOf(value, `${path}.`)
    return Array.isArray(value) ? [] : [[path, value] as [string, Json]]
  })
}

function rangeAround(value: Json): JsonObject {
  const floor = Math.floor(value as number)
  return { $gte: floor, $lt: floor + 1 }
}

const escapePattern = (text: string): string => text.replace(/[^\w ]/g, '\\$&')
