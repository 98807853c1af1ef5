import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import type { JsonObject } from '../../json/json.js'
import { OUTCOME_KEYS, SequenceOutcome } from './fault-outcome.js'
import { StringEnum } from '../../json/string-enum.js'

/** The longest time that a rule may be limited to, in ms: a day. */
const MAX_TTL = 24 * 60 * 60 * 1000

/** A rule that delays requests under `/api`, makes them fail, or changes their responses. */
export const Fault = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A name for people, and for Prefer: fault.',
        examples: ['the session ends'],
      }),
    ),
    method: Type.Optional(
      StringEnum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], {
        description: 'The method of the requests.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'The path of the requests. * matches anything within a segment, ** matches anything.',
      }),
    ),
    accountId: Type.Optional(
      Type.String({ minLength: 1, description: 'The value of the header X-Account-Id.' }),
    ),
    match: Type.Optional(
      Type.Unsafe<JsonObject>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'A query of the requests as the journal has them: method, path, route, resource, query, projection, headers, body, accountId.',
            examples: [{ 'query.formula': 'Si', 'headers.x-test': { $exists: true } }],
          },
        ),
      ),
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The number of matching requests to leave alone before the first fault.',
      }),
    ),
    probability: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        expected: 'a number above 0, and at most 1',
        description: 'The share of the matching requests that the rule is applied to, at random.',
        examples: [0.2],
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        description:
          'The start of the random numbers for probability. The same seed selects the same requests (default: 1).',
      }),
    ),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The number of requests that the rule is applied to before it is removed.',
      }),
    ),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TTL,
        description: 'The time in ms after which the rule is removed.',
      }),
    ),
    ...OUTCOME_KEYS,
    sequence: Type.Optional(
      Type.Array(SequenceOutcome, {
        minItems: 1,
        maxItems: 100,
        expected: 'an array of 1 to 100 outcomes',
        description:
          'The outcomes of one request after the other, in place of one outcome. After the last one, the rule is removed.',
        examples: [[{ status: 503, times: 2 }, { delay: 2000 }]],
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ method: 'GET', path: '/api/*/materials', status: 503, times: 2 }],
  },
)
export type Fault = Static<typeof Fault>
