import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { parseIfJson } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import { parseSelectors } from '../../query/list-parameters.js'
import type { ListQuery, ListQueryCompiler } from '../../query/list-query.js'
import { ListQuerystring } from '../../query/list-querystring.js'
import { Budget } from '../../work/budget.js'
import type { Work } from '../../work/work.js'
import { Count, Nothing, operation, parseQuery } from '../control.js'
import type { ControlOptions } from '../control.js'
import { RecordedRequest } from './journal-item.js'
import { Verification, parseExpectation, verifyRequests } from './verify-requests.js'

/** The number of recorded requests that match a query. */
const RequestCount = Type.Object(
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

/** The parameters of a count: the query of a list. */
const CountQuerystring = Type.Pick(ListQuerystring, ['query'])

/** The parameters of a verification: a query and the expected number of requests. */
const VerifyQuerystring = Type.Object({
  ...CountQuerystring.properties,
  count: Type.Optional(
    Type.String({
      description:
        'A number, or a range with min, max or both, such as {"min": 1, "max": 3} (default: at least 1).',
      examples: ['2'],
    }),
  ),
  order: Type.Optional(
    Type.String({
      description:
        'A JSON array of queries, in place of `query` and `count`: each matches a later request than the one before.',
      examples: ['[{"method": "POST"}, {"method": "GET"}]'],
    }),
  ),
})

const LIST = operation(
  'requests-list',
  'List the recorded requests, the newest first',
  Type.Array(RecordedRequest),
  {
    description:
      'Returns a page of the journal. `query` and `projection` have the language of a list.',
    querystring: ListQuerystring,
    errors: LIST_ERRORS,
  },
)

const COUNT = operation('requests-count', 'Count the recorded requests', RequestCount, {
  description: 'Counts the requests that match `query`.',
  querystring: CountQuerystring,
  errors: LIST_ERRORS,
})

const VERIFY = operation('requests-verify', 'Compare the number of requests', Verification, {
  description:
    'Tells whether the number of requests that match `query` is as `count` says, or whether requests came in the `order`. If not, it returns the closest requests.',
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
  app.get<{ Querystring: ListQuery }>(
    '/',
    { schema: LIST, preValidation: parseQuery },
    async ({ query, sandbox: { journal } }, reply) => {
      const work = listQueries.run(query, (compiled) =>
        journal.find({ ...compiled, query: query.query ?? {} }, (item) => inStep(item, toBuffer)),
      )
      return reply.sendList(await reply.runWork(work))
    },
  )

  app.get<{ Querystring: ListQuery }>(
    '/count',
    { schema: COUNT, preValidation: parseQuery },
    async ({ query, sandbox: { journal } }, reply) => {
      const work = listQueries.run(query, (compiled) =>
        journal.find({ ...compiled, query: query.query ?? {}, limit: Infinity }, toNothing),
      )
      const { length: count } = await reply.runWork(work)
      return { count, complete: journal.isComplete }
    },
  )

  app.get<{ Querystring: ListQuery & { readonly count?: string; readonly order?: string } }>(
    '/verify',
    { schema: VERIFY, preValidation: parseQuery },
    async ({ query: { query, count, order }, sandbox: { journal } }, reply) => {
      const expectation = parseExpectation(
        query,
        count === undefined ? count : parseIfJson(count),
        order === undefined ? order : parseSelectors('order', order),
      )
      const { requests, ...verification } = await reply.runWork(
        verifyRequests(journal, expectation),
      )
      return { ...verification, ids: requests.map(({ _id }) => _id) }
    },
  )

  app.delete('/', { schema: CLEAR }, async ({ sandbox }) => {
    sandbox.journal.clear()
    return {}
  })
}

/** Writes an item in a step of its own: bodies of 64 KiB take some ms to parse and redact. */
function* inStep<Text>(item: JsonObject, toText: (item: JsonObject) => Text): Work<Text> {
  yield 'writing the response'
  return toText(item)
}

const toBuffer = (item: JsonObject): Buffer => Buffer.from(JSON.stringify(item))

/**
 * Writes all recorded requests that the `query` of a request selects, the oldest first. As for the items
 * of fixtures, the work has no budget.
 * @param fields the fields to write (default: all)
 */
export async function findOldestFirst(
  request: FastifyRequest<{ Querystring: ListQuery }>,
  listQueries: ListQueryCompiler,
  toText: (item: JsonObject) => string,
  fields: JsonObject = {},
): Promise<string[]> {
  request.budget = new Budget(Infinity)
  const { query = {} } = request.query
  const found = await request.runWork(
    listQueries.run({ query, projection: { limit: Infinity, fields } }, (compiled) =>
      request.sandbox.journal.find({ ...compiled, query }, (item) => inStep(item, toText)),
    ),
  )
  return found.toReversed()
}

function* toNothing(): Work<void> {
  yield 'reading the journal'
}
