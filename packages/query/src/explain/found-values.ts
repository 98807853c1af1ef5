import { isJsonObject, valueAt } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { Condition, FieldTest, ItemTest } from '../condition.js'
import { compileVisit } from '../values/compile-path.js'
import type { ClauseExplanation } from './explanation.js'

/** The largest number of values that are shown. */
const MAX_VALUES = 10

/** The number of characters of all values together beyond which only the text is returned. */
const MAX_LENGTH = 1000

/** The largest number of characters of the text of each value. */
const MAX_TEXT = 120

/** The values that a condition found in an item: in words, and as values if they are few and small. */
type Found = Pick<ClauseExplanation, 'found' | 'values'>

/** Finds the values that a condition tests in an item, or in an element. */
export function findValues(condition: Condition, value: Json): Found {
  if (condition.kind === 'item') return findInItem(condition, value)
  // The conditions of a combination have their own values.
  if (condition.kind === 'combination' && condition.operator !== '$all') return {}
  return describeValues(readValues(condition, value))
}

function findInItem({ path, readOperands }: ItemTest, item: Json): Found {
  // The path of a part of a schema is the path of a property, which does not traverse arrays.
  if (path !== undefined) return describeValues([valueAt(item, path.split('.'))])
  const operands = readOperands?.(item) ?? []
  const texts = operands.map(
    ({ operand, value }) =>
      `${typeof operand === 'string' ? operand : formatJson(operand)} is ${formatValue(value)}`,
  )
  return texts.length === 0 ? {} : { found: texts.join(', ') }
}

/**
 * At most one more than are shown. Undefined is a missing field; an array at the end is one value.
 */
export function readValues(
  { path }: Pick<FieldTest, 'path'>,
  value: Json,
): readonly (Json | undefined)[] {
  if (path === undefined) return [value]
  const values: (Json | undefined)[] = []
  compileVisit(path, 'array')(value, (candidate) => values.push(candidate) > MAX_VALUES)
  return values
}

function describeValues(all: readonly (Json | undefined)[]): Found {
  if (all.length === 0) return { found: 'nothing', values: [] }
  const shown = all.slice(0, MAX_VALUES)
  const values = shown.filter((value) => value !== undefined)
  const isSmall =
    shown.length === all.length && formatJson(values, MAX_LENGTH + 1).length <= MAX_LENGTH
  const texts = [...shown.map(formatValue), ...(shown.length < all.length ? ['…'] : [])]
  return { found: texts.join(', '), ...(isSmall && { values }) }
}

const formatValue = (value: Json | undefined): string =>
  value === undefined ? 'missing' : formatJson(value)

/** Returns the JSON of a value with spaces, truncated to a length. */
export function formatJson(value: Json, maxLength = MAX_TEXT): string {
  const text = write(value, maxLength)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Writes the JSON of a value, or only a little more than its first `room` characters. */
function write(value: Json, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isJsonObject(value)) return `{${writeParts(Object.entries(value), room, writeField)}}`
  return `[${writeParts(value, room, write)}]`
}

const writeField = ([name, value]: readonly [string, Json], room: number): string =>
  `${JSON.stringify(name)}: ${write(value, room)}`

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
