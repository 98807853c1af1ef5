import type { FastifyRequest } from 'fastify'

import type { RecordedRequest, Verification } from '@materials-mock/api'
import { parseIfJson } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import type { ListQuery, Projection } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import type { ListQueryCompiler } from '../../http/list/compile.js'
import { parseSelectors } from '../../http/list/parameters.js'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { liftBudget } from '../../http/run-work.js'
import { toElement } from '../../store/entry-json.js'
import { defineOperation, parseQuery } from '../control.js'
import type { Call, ControlOptions } from '../control.js'
import { keepRequest } from './journal.js'
import { parseExpectation, verifyRequests } from './verify-requests.js'
import type { VerifiedRequests } from './verify-requests.js'

export function createRequestOperations({ listQueries }: Pick<ControlOptions, 'listQueries'>) {
  const find = <Result>(
    { query, sandbox: { journal }, defaultLimit }: Call<object, ListQuery>,
    convert: (item: JsonObject) => Work<Result>,
  ): Work<Result[]> =>
    listQueries.run(query, (compiled) => {
      const limit = query.projection?.limit ?? defaultLimit ?? compiled.limit
      return journal.find({ ...compiled, limit }, convert)
    })

  return [
    defineOperation(
      'GET /requests',
      'requests-list',
      'List the recorded requests, the newest first',
      {
        description:
          'Returns a page of the journal. `query` and `projection` have the language of a list.',
        errors: LIST_ERRORS,
        prepare: parseQuery,
        work: (call) => find(call, keepRequest) as Work<RecordedRequest[]>,
        respond: async (call, reply) =>
          reply.listBody(await reply.runWork(find(call, (item) => inStep(item, toElement)))),
      },
    ),
    defineOperation('GET /requests/count', 'requests-count', 'Count the recorded requests', {
      description: 'Counts the requests that match `query`.',
      errors: LIST_ERRORS,
      prepare: parseQuery,
      *work(call) {
        const { length: count } = yield* find({ ...call, defaultLimit: Infinity }, toNothing)
        return { count, complete: call.sandbox.journal.isComplete }
      },
    }),
    defineOperation('GET /requests/verify', 'requests-verify', 'Compare the number of requests', {
      description:
        'Tells whether the number of requests that match `query` is as `count` says, or whether requests came in the `order`. If not, it returns the closest requests.',
      errors: LIST_ERRORS,
      prepare: parseQuery,
      work: verify,
      async respond(call, reply) {
        const { requests: _, ...verification } = await reply.runWork(verify(call))
        return verification
      },
    }),
    defineOperation('DELETE /requests', 'requests-clear', 'Clear the journal', {
      description: 'The numbers of the requests continue.',
      run: ({ sandbox }) => sandbox.journal.clear(),
    }),
  ]
}

/** Compares the recorded requests with what is expected, and returns those that are as expected, too. */
function* verify({
  query: { query, count, order },
  sandbox: { journal },
}: Call<object, ListQuery & { readonly count?: string; readonly order?: string }>): Work<
  Verification & Pick<VerifiedRequests, 'requests'>
> {
  const expectation = parseExpectation(
    query,
    count === undefined ? count : parseIfJson(count),
    order === undefined ? order : parseSelectors('order', order),
  )
  const verified = yield* verifyRequests(journal, expectation)
  return { ...verified, ids: verified.requests.map(({ _id }) => String(_id)) }
}

/** Writes an item in a step of its own: bodies of 64 KiB take some ms to parse and redact. */
function* inStep<Text>(item: JsonObject, toText: (item: JsonObject) => Text): Work<Text> {
  yield 'writing the response'
  return toText(item)
}

/**
 * Writes all recorded requests that the `query` of a request selects, the oldest first. As for the items
 * of fixtures, the work has no budget.
 * @param projection the fields to write (default: all), and an order, reversed, that keeps the newest first
 */
export async function findOldestFirst(
  request: FastifyRequest<{ Querystring: ListQuery }>,
  listQueries: ListQueryCompiler,
  toText: (item: JsonObject) => string,
  projection: Projection = {},
): Promise<string[]> {
  liftBudget(request)
  const { query = {} } = request.query
  const found = await request.runWork(
    listQueries.run({ query, projection: { ...projection, limit: Infinity } }, (compiled) =>
      request.sandbox.journal.find(compiled, (item) => inStep(item, toText)),
    ),
  )
  return found.toReversed()
}

function* toNothing(): Work<void> {
  yield 'reading the journal'
}
