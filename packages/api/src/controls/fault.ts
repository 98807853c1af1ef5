import { Type } from '@sinclair/typebox'
import type { ObjectOptions, Static } from '@sinclair/typebox'

import { StringEnum } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

/** The longest delay, in ms. */
export const MAX_DELAY = 60_000

const Milliseconds = Type.Integer({ minimum: 0, maximum: MAX_DELAY })

/** A delay in ms: a fixed one, or a random one from `min` to `max`. */
export const Delay = Type.Union(
  [
    Milliseconds,
    Type.Object({ min: Milliseconds, max: Milliseconds }, { additionalProperties: false }),
  ],
  { description: 'The time in ms before the response: a number, or a random one in a range.' },
)
export type Delay = Static<typeof Delay>

/** Parses the option `latency`: `200` or `100-500`. */
export function parseLatency(latency: string | number): Exclude<Delay, number> {
  const [min = 0, max = min] = String(latency).split('-').map(Number)
  return { min, max }
}

export const FailureStatus = Type.Integer({ minimum: 400, maximum: 599 })

/** The names of the presets. `src/controls/faults/compile-outcome.ts` says what they do. */
export const PRESET_NAMES = [
  'restivus-crash',
  'bad-gateway',
  'gateway-timeout',
  'maintenance',
  'session-expired',
  'rate-limit',
  'login-page',
  'slow-3g',
] as const
export type PresetName = (typeof PRESET_NAMES)[number]

/** The headers of a response by name. A header with several values is sent several times. */
export type FaultHeaders = Readonly<Record<string, string | readonly string[]>>

const HeaderValue = Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 50 })])

/** An object of MongoDB's language, such as a query. */
const MongoObject = (options: ObjectOptions) =>
  Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true, ...options }))

/** The keys that say what happens to a request. */
export const OUTCOME_KEYS = {
  preset: Type.Optional(
    StringEnum(PRESET_NAMES, {
      description:
        'A failure with a name. The other keys of the rule replace the keys of the preset.',
      examples: ['gateway-timeout'],
    }),
  ),
  delay: Type.Optional(Delay),
  status: Type.Optional(
    Type.Integer({
      minimum: 200,
      maximum: 599,
      description:
        'The status of a response that replaces the real one. Without `body`, a status from 400 on sends a failure in the envelope, and a lower status sends no body.',
      examples: [503],
    }),
  ),
  message: Type.Optional(
    Type.String({ minLength: 1, description: 'The message of the failure in the envelope.' }),
  ),
  retryAfter: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The value of Retry-After in seconds. The default is 1 for 429 and 503.',
    }),
  ),
  headers: Type.Optional(
    Type.Unsafe<FaultHeaders>(
      Type.Object(
        {},
        {
          additionalProperties: HeaderValue,
          description: 'Headers of the response, which replace those with the same names.',
          examples: [{ 'X-Cache': 'MISS' }],
        },
      ),
    ),
  ),
  contentType: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'The Content-Type of the response. The default is plain text for a string, and JSON for any other body.',
      examples: ['text/html; charset=utf-8'],
    }),
  ),
  body: Type.Optional(
    Type.Unsafe<Json>(
      Type.Any({
        description:
          'The body of the response: a string is sent as it is, and any other value as JSON. All bodies of a rule may have 1 MiB.',
        examples: ['<h1>502 Bad Gateway</h1>'],
      }),
    ),
  ),
  bandwidth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'The number of bytes of the body that are sent per second.',
      examples: [50_000],
    }),
  ),
  patch: Type.Optional(
    MongoObject({
      expected:
        'an object of fields by path, or of MongoDB\'s update operators such as {"$pop": {"data": 1}}',
      description:
        "MongoDB's update operators, or fields to set by path, that change the JSON of the real response.",
      examples: [{ $pop: { data: 1 } }],
    }),
  ),
  drop: Type.Optional(
    StringEnum(['reset', 'truncate', 'hang'], {
      description:
        'Resets the connection, ends it in the middle of the body, or sends no response.',
    }),
  ),
}

/** The effect on one request. Without a key, the request passes. */
const FaultOutcome = Type.Object(OUTCOME_KEYS)
export type FaultOutcome = Static<typeof FaultOutcome>

const SequenceOutcome = Type.Object(
  {
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The number of requests that the outcome applies to (default: 1).',
      }),
    ),
    ...OUTCOME_KEYS,
  },
  {
    additionalProperties: false,
    description: 'An outcome of a sequence. Without a key, the request passes.',
  },
)

/** The longest `ttl` of a rule, in ms: a day. */
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
    force: Type.Optional(Type.Boolean({ description: 'Whether the path may match no route.' })),
    accountId: Type.Optional(
      Type.String({ minLength: 1, description: 'The value of the header X-Account-Id.' }),
    ),
    match: Type.Optional(
      MongoObject({
        description:
          'A query of the requests in the form of the journal: method, path, route, resource, query, projection, headers, body, accountId.',
        examples: [{ 'query.formula': 'Si', 'headers.x-test': { $exists: true } }],
      }),
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The number of matching requests that pass before the first fault.',
      }),
    ),
    probability: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        expected: 'a number above 0, and at most 1',
        description:
          'The share of the matching requests that the rule is applied to, chosen at random.',
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
          'The outcomes for successive requests, in place of a single outcome. The rule is removed after the last outcome.',
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

export const FaultRule = Type.Object(
  {
    _id: Type.String(),
    ...Fault.properties,
    matchCount: Type.Integer({
      minimum: 0,
      description: 'The number of requests that the rule has matched.',
    }),
    expiresAt: Type.Optional(
      Type.String({ description: 'The time at which a rule with a ttl is removed (ISO 8601).' }),
    ),
  },
  {
    $id: 'StoredFault',
    examples: [{ _id: '1', method: 'GET', path: '/api/*/materials', status: 503, matchCount: 0 }],
  },
)
export type FaultRule = Readonly<Static<typeof FaultRule>>
