import { toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { createNumbers, makePropertyData } from '@materials-mock/structures'
import { completeCommonFields } from './common-fields.js'
import type { SeedContext } from './common-fields.js'

/** Data that only has a name gets a value and units. No job is the source unless it is named. */
export function completeProperty(item: JsonObject, context: SeedContext): JsonObject {
  const given = toObject(item.data)
  const name = String(given.name ?? item.slug ?? 'total_energy')
  return {
    slug: name,
    source: { type: 'materials-mock', info: {} },
    ...completeCommonFields(item, context),
    data: completeData(name, given, context),
  }
}

function completeData(name: string, given: JsonObject, context: SeedContext): JsonObject {
  if (Object.keys(given).some((key) => key !== 'name')) return { name, ...given }
  const numbers = createNumbers(`${name} ${context.random()}`)
  const input = { model: undefined, path: [], numbers, unitNumbers: numbers }
  return makePropertyData(name, input)
}
