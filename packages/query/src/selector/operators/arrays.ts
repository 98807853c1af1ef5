import { Type } from '@sinclair/typebox'

import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { Condition, ElementQuery, FieldTest } from '../../condition.js'
import { compileElementQuery } from '../compile-conditions.js'
import { createFieldTest, defineTest, getFirstKey } from '../operator.js'
import type { Place, QueryOperator } from '../operator.js'
import { COMPARISON } from './comparison.js'
import { noteLength, noteNoArray } from './notes.js'

/** https://www.mongodb.com/docs/manual/reference/operator/query-array/ */
export const ARRAYS = {
  $size: defineTest({
    schema: Type.Integer(),
    parseOperand: parseSize,
    compile: (size) => (value) => Array.isArray(value) && value.length === size,
    arrays: 'array',
    note: (_operand, values) => noteLength(values),
  }),
  $all: { schema: Type.Array(Type.Unknown()), parse: parseAll },
  $elemMatch: {
    schema: Type.Object(
      {},
      { additionalProperties: true, description: 'A query for an element, or operators on it.' },
    ),
    parse: (operand, place) =>
      createElemMatch(place, operand, place.parser.parseElements(operand, place.path)),
    note: (_operand, values) => noteNoArray(values),
  } satisfies QueryOperator,
}

function parseSize(operand: Json, path: InputPath): number {
  if (typeof operand === 'number' && Number.isInteger(operand))
    if (operand >= 0 && operand < 2 ** 31) return operand

  throw path.error(`must be an integer from 0 to 2147483647, not ${quote(operand)}`)
}

const createElemMatch = (place: Place, operand: Json, elements: ElementQuery): FieldTest =>
  createFieldTest({ ...place, operator: '$elemMatch' }, operand, {
    compile: () => {
      const matches = compileElementQuery(elements)
      return (value) => Array.isArray(value) && value.some(matches)
    },
    arrays: 'array',
    cost: 0,
    elements,
  })

/** Parses `$all` into a condition for each of its entries. */
function parseAll(operand: Json, place: Place): Condition {
  const { fieldPath, path } = place
  if (!isJsonArray(operand)) throw path.error(`must be an array, not ${quote(operand)}`)
  const entries = operand
  const hasElemMatch = isElemMatch(entries[0])
  const conditions = entries.map((entry, index) =>
    parseEntry(entry, hasElemMatch, { ...place, operator: '$eq', path: path.child(index) }),
  )
  const written = { path: fieldPath, operator: '$all', operand }
  // In MongoDB, an empty $all matches nothing.
  const combine = conditions.length === 0 ? 'some' : 'every'
  return { kind: 'combination', ...written, combine, conditions }
}

function parseEntry(entry: Json, isElemMatchExpected: boolean, place: Place): Condition {
  const { path, parser } = place
  if (!isElemMatchExpected) {
    if (parser.isOperator(entry))
      throw path.error(`must be a value, not the operator ${quote(entry)}`)
    return COMPARISON.$eq.parse(entry, place)!
  }
  if (!isElemMatch(entry))
    throw path.error(`must be an $elemMatch like the first entry, not ${quote(entry)}`)
  const operand = entry['$elemMatch'] as Json
  const elements = parser.parseElements(operand, path.child('$elemMatch'))
  return createElemMatch(place, operand, elements)
}

const isElemMatch = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) && getFirstKey(value) === '$elemMatch'
