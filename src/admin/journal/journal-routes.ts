import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { ListQuerystring } from '../../query/list-querystring.js'
import type { JsonObject } from '../../json/json.js'
import { parseIfJson } from '../../json/json.js'
import type { ListQuery } from '../../query/list-query.js'
import type { Work } from '../../work/work.js'
import { Count, Nothing, operation, parseQuery } from '../control.js'
import type { ControlOptions } from '../control.js'
import { ExplainedClause } from '../explain/explanation.js'
import { JournalItem } from './journal-record.js'

/** The part of a recorded request that a projection selects. */
const RecordedRequest = Type.Partial(JournalItem, {
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
})

/** The number of recorded requests that match a query. */
const RequestCount = Type.Object(
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

/** Whether as many recorded requests match a query as are expected. */
const Verification = Type.Object(
  {
    verified: Type.Boolean({ examples: [false] }),
    count: Type.Integer({ minimum: 0, examples: [0] }),
    expected: Type.Object({
      min: Type.Integer({ minimum: 0, examples: [1] }),
      max: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { examples: [null] }),
    }),
    closest: Type.Array(
      Type.Object({
        request: RecordedRequest,
        clauses: Type.Array(ExplainedClause),
        text: Type.String({ examples: ['000000000042 GET /api/2018-10-01/materials 200'] }),
      }),
    ),
    text: Type.String({
      description: 'All of this as lines.',
      examples: ['0 requests match {"status": 404}, expected: at least 1'],
    }),
  },
  { $id: 'Verification' },
)

/** The parameters of a count: those of a list without the projection. */
const CountQuerystring = Type.Pick(ListQuerystring, ['query'])

/** The same, and the expected number. */
const VerifyQuerystring = Type.Object({
  ...CountQuerystring.properties,
  count: Type.Optional(
    Type.String({
      description:
        'A number, or {"min": 1, "max": 3}, of which one is enough (default: at least 1).',
      examples: ['2'],
    }),
  ),
})

const LIST = operation(
  'requests-list',
  'List the recorded requests, the newest first',
  Type.Array(RecordedRequest),
  {
    description: 'The journal, with the language of a list: `query` and `projection`.',
    querystring: ListQuerystring,
    errors: LIST_ERRORS,
  },
)

const COUNT = operation('requests-count', 'Count the recorded requests', RequestCount, {
  description: 'Those that match `query`.',
  querystring: CountQuerystring,
  errors: LIST_ERRORS,
})

const VERIFY = operation('requests-verify', 'Compare the number of requests', Verification, {
  description:
    'Whether as many recorded requests match `query` as `count` says; the closest ones if they are too few.',
  querystring: VerifyQuerystring,
  errors: LIST_ERRORS,
})

const CLEAR = operation('requests-clear', 'Clear the journal', Nothing, {
  description: 'The numbers of the requests continue.',
})

/** Lists, counts, verifies and clears the recorded requests. The newest comes first. */
export async function requestRoutes(
  app: FastifyInstance,
  { listQueries }: Pick<ControlOptions, 'listQueries'>,
): Promise<void> {
  const preValidation = parseQuery(listQueries)

  app.get<{ Querystring: ListQuery }>(
    '/',
    { schema: LIST, preValidation },
    async ({ query, sandbox }, reply) => {
      const { journal } = sandbox.controls
      const work = listQueries.run(query, (compiled) =>
        journal.find({ ...compiled, query: query.query ?? {} }, toText),
      )
      return reply.sendList(await reply.runWork(work))
    },
  )

  app.get<{ Querystring: ListQuery }>(
    '/count',
    { schema: COUNT, preValidation },
    async ({ query, sandbox }, reply) => {
      const { journal } = sandbox.controls
      const limit = Math.max(1, journal.capacity)
      const work = listQueries.run(query, (compiled) =>
        journal.find({ ...compiled, query: query.query ?? {}, limit }, toNothing),
      )
      const { length: count } = await reply.runWork(work)
      return { count, complete: journal.isComplete }
    },
  )

  app.get<{ Querystring: ListQuery & { readonly count?: string } }>(
    '/verify',
    { schema: VERIFY, preValidation },
    async ({ query: { query = {}, count }, sandbox }, reply) => {
      const { parseRequestCount, verifyRequests } = await import('./verify-requests.js')
      const expected = parseRequestCount(count === undefined ? count : parseIfJson(count))
      const work = listQueries.run({ query }, ({ selector }) =>
        verifyRequests(sandbox.controls.journal, { query, selector }, expected),
      )
      const { requests: _, ...verification } = await reply.runWork(work)
      return verification
    },
  )

  app.delete('/', { schema: CLEAR }, async ({ sandbox }) => {
    sandbox.controls.journal.clear()
    return {}
  })
}

/** Writes an item whose bodies may have 64 KiB, which take ms to parse and redact. */
function* toText(item: JsonObject): Work<Buffer> {
  yield 'writing the response'
  return Buffer.from(JSON.stringify(item))
}

function* toNothing(): Work<void> {
  yield 'reading the journal'
}
