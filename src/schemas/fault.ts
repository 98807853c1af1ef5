import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum } from './string-enum.js'

/** The longest delay, in ms. */
export const MAX_DELAY = 60_000

const Milliseconds = Type.Integer({ minimum: 0, maximum: MAX_DELAY })

/** A delay in ms: a fixed one, or a random one from `min` to `max`. */
export const Delay = Type.Union([
  Milliseconds,
  Type.Object({ min: Milliseconds, max: Milliseconds }, { additionalProperties: false }),
])
export type Delay = Static<typeof Delay>

/** The status code of a failure: a client error (4xx) or a server error (5xx). */
export const FailureStatus = Type.Integer({ minimum: 400, maximum: 599 })

/** A rule that delays requests under `/api` or makes them fail. */
export const Fault = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A name for people. It has no effect.',
        examples: ['the session ends'],
      }),
    ),
    method: Type.Optional(StringEnum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])),
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
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The number of matching requests to leave alone before the first fault.',
      }),
    ),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The number of requests that the rule is applied to before it is removed.',
      }),
    ),
    delay: Type.Optional(Delay),
    status: Type.Optional(FailureStatus),
    message: Type.Optional(
      Type.String({ minLength: 1, description: 'The message of the failure.' }),
    ),
    retryAfter: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The value of Retry-After in seconds. The default is 1 for 429 and 503.',
      }),
    ),
    drop: Type.Optional(StringEnum(['reset', 'truncate', 'hang'])),
  },
  {
    additionalProperties: false,
    examples: [{ method: 'GET', path: '/api/*/materials', status: 503, times: 2 }],
  },
)
export type Fault = Static<typeof Fault>
