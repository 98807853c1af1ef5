import type { Json, JsonObject } from '../api/item.js'
import { navigate, pageState } from '../state/navigation.js'

/** Adds a condition to the query, or replaces that of the same path. */
export function addToQuery(path: string, value: Json): void {
  const query = JSON.stringify({ ...parseObject(pageState.value.query), [path]: value })
  navigate({ query, panel: 'query', page: '' })
}

function parseObject(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return {}
  }
}
