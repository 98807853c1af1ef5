import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import { compilePath } from '../values/compile-path.js'
import type { Found } from './clause.js'

/** The number of values that are shown. */
const MAX_VALUES = 10

/** The number of characters of all values together, beyond which only the text is given. */
const MAX_LENGTH = 1000

/** The number of characters of the text of each value. */
const MAX_TEXT = 120

/**
 * Compiles a path into a function that returns the first values that it leads to in an item, at most
 * one more than are shown; undefined is a missing field. An array at the end is one value.
 */
export function compileReader(path: string): (item: Json) => readonly (Json | undefined)[] {
  let found: (Json | undefined)[] = []
  const read = compilePath(path, 'array', (candidate) => {
    found.push(candidate)
    return found.length > MAX_VALUES
  })
  return (item) => {
    found = []
    read(item)
    return found
  }
}

/** Describes the values that a path leads to. */
export function describeFound(all: readonly (Json | undefined)[]): Found {
  if (all.length === 0) return { text: 'nothing', values: [] }
  const shown = all.slice(0, MAX_VALUES)
  const texts = shown.map((value) => (value === undefined ? 'missing' : formatJson(value)))
  const values = shown.filter((value) => value !== undefined)
  const isSmall =
    shown.length === all.length && formatJson(values, MAX_LENGTH + 1).length <= MAX_LENGTH
  return {
    text: [...texts, ...(shown.length < all.length ? ['…'] : [])].join(', '),
    ...(isSmall && { values }),
  }
}

/** Returns the JSON of a value with spaces, truncated after some characters. */
export function formatJson(value: Json, maxLength = MAX_TEXT): string {
  const text = write(value, maxLength)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Writes the JSON of a value, or only somewhat more than `room` characters of it. */
function write(value: Json, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isJsonObject(value)) {
    const fields = Object.keys(value)
    const writeField = (name: string, left: number): string =>
      `${JSON.stringify(name)}: ${write(value[name] as Json, left)}`
    return `{${writeParts(fields, room, writeField)}}`
  }
  return `[${writeParts(value as readonly Json[], room, write)}]`
}

function writeParts<Part>(
  parts: readonly Part[],
  room: number,
  writePart: (part: Part, room: number) => string,
): string {
  let text = ''
  for (const part of parts) {
    if (text.length > room) break
    text += (text === '' ? '' : ', ') + writePart(part, room - text.length)
  }
  return text
}
