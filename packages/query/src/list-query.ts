import { Type } from '@sinclair/typebox'
import type { Static, TOptional, TSchema } from '@sinclair/typebox'

import type { JsonObject } from '@materials-mock/json'
import { MAX_LIMIT } from './limits.js'
import type { CompiledFields } from './projection/compile-fields.js'
import type { Selector } from './selector/compile-selector.js'
import type { QueryOperator } from './selector/operator.js'
import { FIELD_OPERATORS, TOP_LEVEL_OPERATORS } from './selector/operators/query-operators.js'
import type { SortSpec } from './sort/compile-sort.js'

export const DEFAULT_LIMIT = 50

/** A selector in MongoDB's query language. `query/selector/` validates its content. */
export const Query = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "A JSON object in MongoDB's query language.",
    examples: [{ formula: 'Si' }],
  },
)

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
 * For the OpenAPI document, not for validation. Operators have a schema of their own: TypeScript
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

export const Projection = Type.Object(
  {
    sort: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.Literal(1), Type.Literal(-1)], {
          description: '1 for ascending order, -1 for descending order.',
        }),
        { description: 'The paths to sort by, the most significant one first.' },
      ),
    ),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The number of matching items to skip.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'The maximum number of items to return.',
      }),
    ),
    fields: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            "The fields to return, as in MongoDB's find projection: paths to 1 (include), 0 (exclude) or an expression, whose result replaces the field and can have any type.",
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'A JSON object with sort, skip, limit and fields. Each is optional.',
    examples: [{ sort: { name: 1 }, skip: 0, limit: 10, fields: { name: 1, formula: 1 } }],
  },
)
export type Projection = Static<typeof Projection>

/** The parameters of a list request, parsed and valid against `ListQuerystring`. */
export interface ListQuery {
  readonly query?: JsonObject | undefined
  readonly projection?: Projection | undefined
}

export interface CompiledListQuery {
  readonly selector: Selector
  readonly sort: SortSpec | undefined
  readonly skip: number
  readonly limit: number
  readonly fields: CompiledFields | undefined
}
