import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import type { JsonObject } from '../json/json.js'
import { MAX_LIMIT } from './limits.js'
import { DocumentedQuery } from './query-schema.js'

/** The number of items in a list if the projection has no limit. */
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
    Type.Unsafe<JsonObject>({
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

const FLAT_PARAMETERS = {
  limit: Projection.properties.limit,
  skip: Projection.properties.skip,
  sort: Type.Optional(
    Type.String({ description: 'A field, or - and a field for the reverse order.' }),
  ),
}

/** The parameters that the platform's newest client sends in addition to `query` and `projection`. */
const SEARCH_PARAMETERS = {
  advancedSearches: Type.Optional(
    Type.Unsafe<object[]>({
      ...Type.Array(Query),
      description: "A JSON list of selectors in MongoDB's query language, which must all match.",
      'x-consume': 'application/json',
      'x-content': Type.Array(DocumentedQuery),
    }),
  ),
  setId: Type.Optional(Type.String({ description: 'The _id of the set that the items are in.' })),
  globalSearch: Type.Optional(
    Type.Boolean({
      description: 'Whether items in sets are listed too. Only a migrated list leaves them out.',
    }),
  ),
}

/** The URL parameters of a list of the platform, by the ways to read them. */
export const LIST_QUERYSTRINGS = {
  both: Type.Object(
    { ...ListQuerystring.properties, ...SEARCH_PARAMETERS, ...FLAT_PARAMETERS },
    { $id: 'PlatformListQuerystring' },
  ),
  documented: Type.Object(
    { ...ListQuerystring.properties, ...FLAT_PARAMETERS },
    { $id: 'DocumentedListQuerystring' },
  ),
  migrated: Type.Object(
    { ...SEARCH_PARAMETERS, ...FLAT_PARAMETERS },
    { $id: 'MigratedListQuerystring' },
  ),
}
