import { isJsonObject } from './json.js'
import type { Json } from './json.js'

/** How values are written: as JSON, or as literals of a language. */
export interface Notation {
  readonly write: (value: Json) => string
  readonly writeName: (name: string) => string
  readonly comma: string
}

const JSON_NOTATION: Notation = {
  write: (value) => JSON.stringify(value ?? null),
  writeName: (name) => `${JSON.stringify(name)}:`,
  comma: ',',
}

/** The size of the largest value that is written at once, in characters; a number counts as ten. */
const MAX_SIZE = 16 * 1024

/** Whether a value is so short that writing it takes well below a millisecond. */
export const isShort = (value: unknown): boolean => findRoom(value, MAX_SIZE) >= 0

/** Returns the room that is left beside a value: less than 0 if it is too large, however large it is. */
function findRoom(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length
  let left = room - 10
  if (Array.isArray(value)) {
    for (const each of value) {
      if (left < 0) break
      left = findRoom(each, left)
    }
  } else if (isJsonObject(value)) {
    for (const name in value) {
      if (left < 0) break
      left = findRoom(value[name], left - name.length)
    }
  }
  return left
}

/**
 * Writes a value in texts of some 16,000 characters, or of one long string each. The whole text may be longer than
 * a string can be. As in JSON, fields that are undefined are left out.
 */
export function* writeInParts(
  value: Json,
  notation: Notation = JSON_NOTATION,
): Generator<string, void, void> {
  if (typeof value !== 'object' || value === null || isShort(value)) yield notation.write(value)
  else if (Array.isArray(value)) yield* writeElements(value, notation)
  else yield* writeFields(Object.entries(value), notation)
}

function* writeElements(elements: readonly Json[], notation: Notation): Generator<string> {
  yield* joinParts('[', elements, (element) => ['', element], notation)
  yield ']'
}

function* writeFields(fields: readonly [string, Json][], notation: Notation): Generator<string> {
  const defined = fields.filter(([, value]) => value !== undefined)
  const toPart = ([name, value]: [string, Json]): [string, Json] => [
    notation.writeName(name),
    value,
  ]
  yield* joinParts('{', defined, toPart, notation)
  yield '}'
}

/** @param toPart returns the text before a value, and the value */
function* joinParts<Part>(
  open: string,
  parts: readonly Part[],
  toPart: (part: Part) => [string, Json],
  notation: Notation,
): Generator<string> {
  let text = open
  for (const [index, part] of parts.entries()) {
    const [before, value] = toPart(part)
    text += (index === 0 ? '' : notation.comma) + before
    if (isShort(value)) {
      text += notation.write(value)
    } else {
      yield text
      yield* writeInParts(value, notation)
      text = ''
    }
    if (text.length < MAX_SIZE) continue
    yield text
    text = ''
  }
  yield text
}

/** Copies a value that JSON can express, in steps. */
export function* copyInParts(value: unknown): Generator<void, Json, void> {
  if (typeof value !== 'object' || value === null || isShort(value))
    return JSON.parse(JSON_NOTATION.write(value as Json))
  if (Array.isArray(value)) {
    const elements: Json[] = []
    for (const each of value) {
      elements.push(yield* copyInParts(each))
      yield
    }
    return elements
  }
  const fields: [string, Json][] = []
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue
    fields.push([name, yield* copyInParts(each)])
    yield
  }
  return Object.fromEntries(fields)
}
