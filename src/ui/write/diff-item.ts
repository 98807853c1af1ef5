import { isObject } from '../api/item.js'
import type { Item, Json, JsonObject } from '../api/item.js'

/**
 * Returns MongoDB's update that makes an item what its edited JSON says; undefined if nothing has changed.
 * @throws Error if the text is no JSON object
 */
export function diffItem(item: Item, text: string): JsonObject | undefined {
  const edited = JSON.parse(text) as Json
  if (!isObject(edited)) throw new Error('an item must be a JSON object')
  const set = Object.entries(edited).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(item[key]),
  )
  const unset = Object.keys(item).filter((key) => !Object.hasOwn(edited, key))
  if (set.length === 0 && unset.length === 0) return undefined
  return {
    ...(set.length === 0 ? {} : { $set: Object.fromEntries(set) }),
    ...(unset.length === 0 ? {} : { $unset: Object.fromEntries(unset.map((key) => [key, ''])) }),
  }
}
