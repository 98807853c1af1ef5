import { scanJson } from '../schemas/json-scan.js'
import { isJsonObject } from '../schemas/json.js'
import type { Json, JsonObject } from '../schemas/json.js'
import { Place, quote } from '../schemas/place.js'

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
 * QueryInvalid or ProjectionInvalid for what is no JSON object, repeats a key, holds a number
 * beyond a double, or names `__proto__`, `constructor` or `prototype`; and BoundExceeded where a
 * bound is passed.
 */
export function parseJsonParameter(name: string, text: string): JsonObject {
  const place = new Place(name)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) {
    throw place.exceeds(`must have at most ${MAX_BYTES} bytes of JSON, not ${bytes}`)
  }
  const value = parse(text, place)
  if (!isJsonObject(value)) throw place.invalid(`must be a JSON object, not ${quote(value)}`)
  checkValue(value, place)
  return value
}

/** A text that JSON.stringify would write has no key twice, and need not be gone through. */
function parse(text: string, place: Place): Json {
  try {
    const value = JSON.parse(text) as Json
    if (!isDeeper(value, MAX_DEPTH) && JSON.stringify(value) === text) return value
  } catch {
    // It is no JSON: the scan tells where.
  }
  scanJson(text, place, MAX_DEPTH)
  return JSON.parse(text) as Json
}

const isDeeper = (value: Json, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1)))

function checkValue(value: Json, place: Place): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw place.invalid('must be a number that a double can hold, below 1.8e308')
  }
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES) {
      throw place.exceeds(`must have at most ${MAX_ENTRIES} entries, not ${value.length}`)
    }
    for (const [index, entry] of (value as readonly Json[]).entries()) {
      checkValue(entry, place.at(index))
    }
  } else if (isJsonObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      const forbidden = key.split('.').find((segment) => FORBIDDEN.has(segment))
      if (forbidden !== undefined) throw place.invalid(`must not name "${forbidden}" in a key`)
      checkValue(entry, place.at(key))
    }
  }
}
