import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { DocumentedQuery } from './query-schema.js'

/** The number of items in a list if the projection has no limit. */
export const DEFAULT_LIMIT = 50

/** The maximum number of items in a list. */
export const MAX_LIMIT = 500

/** A selector in MongoDB's query language. `query/selector/` validates its content. */
export const Query = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "A JSON object in MongoDB's query language.",
    examples: [{ formula: 'Si' }],
  },
)

/** The page, order and fields of a list. */
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

/**
 * The URL parameters of any list. Both are JSON texts, parsed before validation; `x-consume` marks
 * them as such for the OpenAPI document, and `x-content` is the schema that it shows.
 */
export const ListQuerystring = Type.Object({
  query: Type.Optional(
    Type.Unsafe<object>({
      ...Query,
      'x-consume': 'application/json',
      'x-content': DocumentedQuery,
    }),
  ),
  projection: Type.Optional(
    Type.Unsafe<Projection>({
      ...Projection,
      'x-consume': 'application/json',
      'x-content': { ...Projection, $id: 'Projection' },
    }),
  ),
})

/** The URL parameters of a list of the platform: the same, and their short form for a simple page. */
export const PlatformListQuerystring = Type.Object(
  {
    ...ListQuerystring.properties,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        description: "The projection's limit. Only without query and projection.",
      }),
    ),
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "The projection's skip. Only without query and projection.",
      }),
    ),
    sort: Type.Optional(
      Type.String({
        description:
          'A field, or - and a field for the reverse order. Only without query and projection.',
      }),
    ),
  },
  { $id: 'PlatformListQuerystring' },
)
