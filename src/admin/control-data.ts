import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import { Fault } from './faults/fault.js'

const Count = Type.Integer({ minimum: 0, examples: [74] })

/** The number of items of each resource, by its name. */
const Sizes = Type.Record(Type.String(), Count, { examples: [{ materials: 74, jobs: 5 }] })

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])

/** What a route returns that has nothing to tell. */
export const Nothing = Type.Object({}, { additionalProperties: false, examples: [{}] })

/** The state of the server. */
export const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    version: Type.String({ examples: ['0.2.0'] }),
    uptime: Type.Number({ description: 'The time since the start, in seconds.', examples: [12.7] }),
    readOnly: Type.Boolean({
      description: 'Whether the routes that write are left out.',
      examples: [false],
    }),
    resources: Sizes,
  },
  { $id: 'Health' },
)

/** A snapshot, without its items. */
export const Snapshot = Type.Object(
  {
    name: Type.String({ examples: ['before-the-demo'] }),
    takenAt: Type.String({ examples: ['2026-11-21T08:59:47.811Z'] }),
    resources: Sizes,
  },
  { $id: 'Snapshot' },
)

/** A stored rule. */
export const StoredFault = Type.Object(
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

/** The part of a recorded request that a projection selects. */
export const RecordedRequest = Type.Object(
  {
    _id: Type.Optional(Type.String({ pattern: '^\\d{12}$' })),
    at: Type.Optional(Type.String({ description: 'The time of arrival.' })),
    method: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    route: Type.Optional(nullable(Type.String())),
    resource: Type.Optional(nullable(Type.String())),
    query: Type.Optional(Type.Unknown()),
    projection: Type.Optional(Type.Unknown()),
    accountId: Type.Optional(nullable(Type.String())),
    headers: Type.Optional(Type.Object({}, { additionalProperties: true })),
    body: Type.Optional(Type.Unknown()),
    status: Type.Optional(nullable(Type.Integer())),
    ms: Type.Optional(nullable(Type.Number())),
    fault: Type.Optional(nullable(Type.Object({}, { additionalProperties: true }))),
    upstream: Type.Optional(nullable(Type.String())),
    response: Type.Optional(nullable(Type.Object({}, { additionalProperties: true }))),
  },
  {
    $id: 'RecordedRequest',
    additionalProperties: true,
    examples: [
      {
        _id: '000000000042',
        at: '2026-11-22T08:56:56.714Z',
        method: 'GET',
        path: '/api/2018-10-01/materials',
        query: { formula: 'Si' },
        status: 200,
        ms: 0.81,
      },
    ],
  },
)

/** The number of recorded requests that match a query. */
export const RequestCount = Type.Object(
  {
    count: Count,
    complete: Type.Boolean({
      description:
        'Whether the journal has all requests since the start or the last clear. If not, there may have been more.',
      examples: [true],
    }),
  },
  { $id: 'RequestCount' },
)

/** How a list is evaluated. */
export const Explanation = Type.Object(
  {
    plan: Type.String({ examples: ['hash index on formula'] }),
    conditions: Type.Array(Type.String({ examples: ['formula $eq'] })),
    candidates: Count,
    examined: Count,
    matched: Count,
    returned: Count,
    ms: Type.Number({ examples: [0.46] }),
  },
  { $id: 'Explanation' },
)

/** The items of a resource. */
export const Items = Type.Array(
  Type.Object({ _id: Type.String() }, { additionalProperties: true }),
  {
    examples: [[{ _id: 'p1', name: 'Silicon' }]],
  },
)

/** The items of all resources, by the names of the resources. */
export const AllItems = Type.Record(Type.String(), Items, {
  examples: [{ projects: [{ _id: 'p1', name: 'Silicon' }] }],
})

/** What a replacement of the items of a resource has done. */
export const ReplacedItems = Type.Object(
  { resource: Type.String({ examples: ['projects'] }), size: Type.Integer({ examples: [1] }) },
  { $id: 'ReplacedItems' },
)
