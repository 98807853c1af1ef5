import { Type } from '@sinclair/typebox'

import type { JsonObject } from '@materials-mock/json'
import { DocumentedQuery, Projection, Query } from '@materials-mock/query'

/**
 * Both are JSON texts, parsed before validation: for the document, `x-consume` marks them as such,
 * and `x-content` is their schema.
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
  strict: Type.Object(ListQuerystring.properties, { $id: 'StrictListQuerystring' }),
  migrated: Type.Object(
    { ...SEARCH_PARAMETERS, ...FLAT_PARAMETERS },
    { $id: 'MigratedListQuerystring' },
  ),
}
