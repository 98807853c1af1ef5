import { Type } from '@sinclair/typebox'
import type { TOptional, TSchema } from '@sinclair/typebox'

import type { QueryOperator } from './selector/operator.js'
import { FIELD_OPERATORS, TOP_LEVEL_OPERATORS } from './selector/operators/query-operators.js'

/** The values of the fields in a query. */
const FieldConditions = Type.Object(
  {},
  {
    $id: 'FieldConditions',
    additionalProperties: Type.Union([
      Type.String(),
      Type.Number(),
      Type.Boolean(),
      Type.Null(),
      Type.Array(Type.Unknown()),
      Type.Object(getSchemas(FIELD_OPERATORS), {
        $id: 'Condition',
        additionalProperties: true,
        description: 'Operators on the field, or an object that the field equals.',
      }),
    ]),
    description: 'Conditions by dotted path: a value that the field equals, or operators.',
  },
)

/**
 * A query as the OpenAPI document shows it. It is not for validation: `query/selector/` validates
 * queries, and describes their errors. The operators have a schema of their own, because TypeScript
 * refuses an optional property that the index signature of the fields excludes.
 */
export const DocumentedQuery = Type.Object(getSchemas(TOP_LEVEL_OPERATORS), {
  $id: 'Query',
  allOf: [FieldConditions],
  description:
    "A query in MongoDB's language: conditions by dotted path, all of which must hold, and operators.",
  examples: [{ formula: 'Si' }],
})

function getSchemas(
  operators: Readonly<Record<string, QueryOperator>>,
): Record<string, TOptional<TSchema>> {
  return Object.fromEntries(
    Object.entries(operators).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  )
}
