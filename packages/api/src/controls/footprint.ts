import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'

const Names = (description: string, example: string) =>
  Type.Array(Type.String(), { description, examples: [[example]] })

/** The features of one route that clients have used. All lists are sorted. */
export const Use = Type.Object(
  {
    method: Text('GET'),
    path: Text(
      '/materials/{id}',
      "The route's template below the versioned root; * for all requests without a route.",
    ),
    count: Type.Integer({ minimum: 1, examples: [17] }),
    statuses: Type.Array(Type.Integer(), {
      description: 'The statuses of the responses. A request without a response has none.',
      examples: [[200]],
    }),
    operators: Names(
      'The operators of queries and of computed fields. A field that equals a value has $eq.',
      '$regex',
    ),
    paths: Names('The paths of the fields in queries and in computed fields.', 'formula'),
    sort: Names('The paths by which lists were sorted.', 'name'),
    fields: Names('The paths of the stored fields that lists were asked for.', 'name'),
    parameters: Names('The names of parameters of the URL.', 'query'),
    code: Names('The codes of failures.', 'QUERY_INVALID'),
    cut: Type.Optional(
      Type.Literal(true, {
        description: 'Whether some names are missing because the footprint is full.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Use = Static<typeof Use>

/** The features that clients have used since the start or the last reset. */
export const Footprint = Type.Object(
  {
    requests: Type.Integer({ minimum: 0, examples: [17] }),
    uses: Type.Array(Use, { description: 'Sorted by path and method.' }),
  },
  { $id: 'Footprint', additionalProperties: false },
)
export type Footprint = Static<typeof Footprint>
