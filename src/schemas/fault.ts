import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { OptionsInvalid } from '../errors.js'
import { quote } from '../json/quote.js'

/** The longest delay that can be asked for, in ms. */
export const MAX_DELAY = 60_000

const Milliseconds = Type.Integer({ minimum: 0, maximum: MAX_DELAY })

/** How long to wait, in ms: always the same, or anything from `min` to `max`. */
export const Delay = Type.Union([
  Milliseconds,
  Type.Object({ min: Milliseconds, max: Milliseconds }, { additionalProperties: false }),
])
export type Delay = Static<typeof Delay>

/**
 * The delay that a text such as `200` or `100-500` stands for.
 * @throws OptionsInvalid where it is no delay
 */
export function toDelay(latency: string | number | undefined): Delay | undefined {
  if (latency === undefined) return undefined
  const [min = 0, max = min] = String(latency).split('-').map(Number)
  if (min <= max && max <= MAX_DELAY) return { min, max }
  throw new OptionsInvalid(
    `latency must be from 0 to ${MAX_DELAY} ms, the lesser one first, not ${quote(latency)}`,
  )
}

/** The status of a failure: of the client's making (4xx) or of the server's (5xx). */
export const FailureStatus = Type.Integer({ minimum: 400, maximum: 599 })

const literals = <T extends string>(...values: T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)))

/** A rule that makes requests under `/api` go wrong: which ones, how often, and how. */
export const Fault = Type.Object(
  {
    method: Type.Optional(literals('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'A path, where * stands for anything within a segment and ** for anything',
      }),
    ),
    accountId: Type.Optional(
      Type.String({ minLength: 1, description: 'What X-Account-Id must say' }),
    ),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How many requests that fit pass unharmed first' }),
    ),
    times: Type.Optional(
      Type.Integer({ minimum: 1, description: 'How many requests it is for; then it is gone' }),
    ),
    delay: Type.Optional(Delay),
    status: Type.Optional(FailureStatus),
    message: Type.Optional(
      Type.String({ minLength: 1, description: 'The message of the failure' }),
    ),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Retry-After, in seconds; 1 for 429 and 503' }),
    ),
    drop: Type.Optional(literals('reset', 'truncate', 'hang')),
  },
  { additionalProperties: false },
)
export type Fault = Static<typeof Fault>
