import { isJsonObject, type Json, type JsonObject } from '../schemas/json.js'
import { repeatedKey } from './keys.js'
import { Place } from './place.js'

/** The most UTF-8 bytes of JSON in a parameter. */
export const MAX_BYTES = 32 * 1024
/** The most levels of objects and lists in a parameter; `{"a": 1}` has one. */
export const MAX_DEPTH = 50
/** The most entries in a list. */
export const MAX_ENTRIES = 1000
/** The most characters in a `$regex`. */
export const MAX_PATTERN = 1000

/** Names that reach into JavaScript's prototypes, as a key or a segment of a dotted path. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Parses the text of a parameter (`query` or `projection`) to the object that it must be. Throws
 * QueryInvalid or ProjectionInvalid for what is no JSON object, repeats a key (JSON.parse would
 * drop a condition in silence), holds a number beyond a double, or names `__proto__`,
 * `constructor` or `prototype`; and BoundExceeded where a bound is passed.
 */
export function parseJsonParameter(name: string, text: string): JsonObject {
  const place = new Place(name)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) {
    throw place.exceeds(`must have at most ${MAX_BYTES} bytes of JSON, not ${bytes}`)
  }
  const value = parseJson(text, place)
  if (!isJsonObject(value)) throw place.invalid(`must be a JSON object, not ${text.slice(0, 60)}`)
  checkValue(value, place, 1)
  const repeated = repeatedKey(text)
  if (repeated !== undefined) {
    throw place.invalid(`has the key "${repeated}" twice in one object; name it once`)
  }
  return value
}

function parseJson(text: string, place: Place): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    throw position === undefined
      ? place.invalid('must be JSON, but its text ends too early')
      : place.invalid(
          `must be JSON, but has ${JSON.stringify(text.slice(+position, +position + 20))} ` +
            `at character ${position}`,
        )
  }
}

function checkValue(value: Json, place: Place, depth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw place.invalid('must be a number that a double can hold (below 1.8e308)')
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw place.exceeds(`must have at most ${MAX_DEPTH} levels of JSON`)
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES) {
      throw place.exceeds(`must have at most ${MAX_ENTRIES} entries, not ${value.length}`)
    }
    value.forEach((entry, index) => checkValue(entry as Json, place.at(index), depth + 1))
    return
  }
  for (const [key, entry] of Object.entries(value)) {
    const forbidden = key.split('.').find((segment) => FORBIDDEN.has(segment))
    if (forbidden !== undefined) throw place.invalid(`must not name "${forbidden}" in "${key}"`)
    checkValue(entry, place.at(key), depth + 1)
  }
}
