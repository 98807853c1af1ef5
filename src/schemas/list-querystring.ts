import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** How many items a list has when the projection names no limit. */
export const DEFAULT_LIMIT = 50

/** How many items a list may have. */
export const MAX_LIMIT = 500

/** A selector in MongoDB's query language. What it may hold is judged by `query/selector.ts`. */
export const Query = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "A JSON object in MongoDB's query language",
    examples: [{ formula: 'Si' }],
  },
)

/** Which part of the items that fit is listed, in which order, with which fields. */
export const Projection = Type.Object(
  {
    sort: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.Literal(1), Type.Literal(-1)], { description: '1 upward, -1 downward' }),
        { description: 'Paths to 1 or -1, the first key first' },
      ),
    ),
    skip: Type.Optional(Type.Integer({ minimum: 0, description: 'How many items to pass over' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'How many items to list at most',
      }),
    ),
    fields: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "MongoDB's find projection: paths to 1 or to 0",
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'A JSON object of sort, skip, limit and fields, each optional',
    examples: [{ sort: { name: 1 }, skip: 0, limit: 10, fields: { name: 1, formula: 1 } }],
  },
)
export type Projection = Static<typeof Projection>

/**
 * The URL parameters of a list. Both arrive as JSON text and are parsed before the schema judges
 * them, which `x-consume` tells the OpenAPI document. Other parameters are ignored.
 */
export const ListQuerystring = Type.Object({
  query: Type.Optional(Type.Unsafe<object>({ ...Query, 'x-consume': 'application/json' })),
  projection: Type.Optional(
    Type.Unsafe<Projection>({ ...Projection, 'x-consume': 'application/json' }),
  ),
})
