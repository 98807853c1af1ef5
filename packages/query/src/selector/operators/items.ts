import { Type } from '@sinclair/typebox'

import { quote } from '@materials-mock/json'
import { parseJsonSchema } from '../json-schema.js'
import type { QueryOperator } from '../operator.js'

/** Defines a condition that all items meet, or that no item meets. */
const defineConstant = (result: boolean) => ({
  schema: Type.Literal(1),
  parse: ((operand, { operator, path }) => {
    if (operand !== 1) throw path.error(`must be 1, not ${quote(operand)}`)
    return { kind: 'item', operator, operand, matches: () => result, cost: 0 }
  }) satisfies QueryOperator['parse'],
})

export const ITEMS = {
  $alwaysTrue: defineConstant(true),
  $alwaysFalse: defineConstant(false),
  /** A comment is not a condition. */
  $comment: { schema: Type.Unknown(), parse: () => undefined },
  /** https://www.mongodb.com/docs/manual/reference/operator/query/expr/ */
  $expr: {
    schema: Type.Unsafe<unknown>({ description: 'An expression of the whole item.' }),
    parse: (operand, { path, parser }) => {
      if (parser.expressions === undefined) throw path.error('must be a condition of whole items')
      return parser.expressions.parseCondition(operand, path)
    },
  } satisfies QueryOperator,
  /** https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/ */
  $jsonSchema: {
    schema: Type.Object({}, { additionalProperties: true, description: 'A JSON Schema.' }),
    parse: (operand, { path, parser }) => parseJsonSchema(operand, path, parser.patterns),
  } satisfies QueryOperator,
}
