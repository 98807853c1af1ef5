import { Type } from '@sinclair/typebox'

import { isJsonObject, quote } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { Combination, Condition } from '../../condition.js'
import { getFirstKey } from '../operator.js'
import type { Place, QueryOperator } from '../operator.js'

/** A reference by name, for a schema that contains itself. The document resolves it. */
const QueryReference = Type.Unsafe<object>({ $ref: '#/components/schemas/Query' })

const define = (combine: Combination['combine']) => ({
  schema: Type.Array(QueryReference, { minItems: 1 }),
  parse: (operand: Json, place: Place): Condition => ({
    kind: 'combination',
    operator: place.operator,
    combine,
    conditions: parseBranches(operand, place),
  }),
})

function parseBranches(operand: Json, { path, parser }: Place): readonly Condition[] {
  if (!Array.isArray(operand) || operand.length === 0)
    throw path.error(`must be an array of one or more conditions, not ${quote(operand)}`)

  return operand.map((entry: Json, index): Condition => {
    if (!isJsonObject(entry))
      throw path.child(index).error(`must be an object, not ${quote(entry)}`)
    const conditions = parser.parseQuery(entry, path.child(index))
    const [only] = conditions
    return only !== undefined && conditions.length === 1
      ? only
      : { kind: 'combination', operator: '$and', combine: 'every', conditions }
  })
}

/** The top-level operators of https://www.mongodb.com/docs/manual/reference/operator/query-logical/. */
export const LOGIC = { $and: define('every'), $or: define('some'), $nor: define('none') }

/** Negates operators on a field. */
export const NEGATION = {
  $not: {
    schema: Type.Object({}, { additionalProperties: true, description: 'Operators on the field.' }),
    parse: (operand, { operator, fieldPath, path, parser }) => {
      if (!isJsonObject(operand) || getFirstKey(operand) === undefined)
        throw path.error(`must be an object of operators, not ${quote(operand)}`)
      const conditions = parser.parseOperators(fieldPath, operand, path)
      return { kind: 'combination', path: fieldPath, operator, combine: 'notEvery', conditions }
    },
  } satisfies QueryOperator,
}
