import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { OptionalText, Text } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { ListQuerystring } from '../list-querystring.js'
import { Count, ExplainedClause } from './explanation.js'
import { RecordedRequest } from './journal-item.js'

export const RequestCount = Type.Object(
  {
    count: Count,
    complete: Type.Boolean({
      description:
        'Whether the journal has all requests since the start or the last clear. If not, the number may be too low.',
      examples: [true],
    }),
  },
  { $id: 'RequestCount' },
)

export const CountQuerystring = Type.Pick(ListQuerystring, ['query'])

export const VerifyQuerystring = Type.Object({
  ...CountQuerystring.properties,
  count: OptionalText(
    '2',
    'A number, or a range with min, max or both, such as {"min": 1, "max": 3} (default: at least 1).',
  ),
  order: OptionalText(
    '[{"method": "POST"}, {"method": "GET"}]',
    'A JSON array of queries, in place of `query` and `count`: each matches a later request than the one before.',
  ),
})

const CountRange = Type.Object({
  min: Type.Integer({ minimum: 0, examples: [1] }),
  /** Null if there is no maximum. */
  max: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { examples: [null] }),
})
export type CountRange = Readonly<Static<typeof CountRange>>

const ClosestRequest = Type.Object({
  request: Type.Unsafe<JsonObject>(RecordedRequest),
  clauses: Type.Array(ExplainedClause),
  text: Text('000000000042 GET /api/2018-10-01/materials 200'),
})
export type ClosestRequest = Static<typeof ClosestRequest>

export const Verification = Type.Object(
  {
    verified: Type.Boolean({ examples: [false] }),
    /** The number of recorded requests that match; of an order, how many came up to where it held. */
    count: Type.Integer({ minimum: 0, examples: [0] }),
    expected: CountRange,
    /**
     * If too few match, the other requests that fail the fewest clauses, the closest first. Of an order,
     * those that came instead of the first request that did not come, in their order.
     */
    closest: Type.Array(ClosestRequest),
    ids: Type.Array(Text('000000000041'), {
      description:
        'The `_id`s of the requests that match, the newest first, or of those that came in order.',
    }),
    text: Text(
      '0 requests match {"status": 404}, expected: at least 1',
      'The whole result as lines of text.',
    ),
  },
  { $id: 'Verification' },
)
export type Verification = Readonly<Static<typeof Verification>>
