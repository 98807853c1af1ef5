import { isJsonObject } from '../schemas/json.js'

/** How many levels an item may have, so that no walk through it runs out of stack. */
const MAX_LEVELS = 100

/**
 * What keeps an item from being served as it is, in words; undefined where nothing does. JSON.parse
 * takes more levels than JSON.stringify, and makes Infinity, which JSON.stringify writes as null, of
 * a number beyond a double.
 */
export function unservable(value: unknown, path = '', levels = MAX_LEVELS): string | undefined {
  if (isServable(value, levels)) return undefined
  if (typeof value === 'number')
    return `${path} must be a number that a double can hold, below 1.8e308`
  if (levels === 0) return `must have at most ${MAX_LEVELS} levels of JSON`
  for (const [key, each] of Object.entries(value as object)) {
    const fault = unservable(each, path === '' ? key : `${path}.${key}`, levels - 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The same without words: all items are asked, and seldom is one wrong. */
function isServable(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (!isJsonObject(value))
    return (value as unknown[]).every((each) => isServable(each, levels - 1))
  for (const key in value) if (!isServable(value[key], levels - 1)) return false
  return true
}
