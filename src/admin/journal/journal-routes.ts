import type { FastifyInstance } from 'fastify'

import type { JsonObject } from '../../json/json.js'
import { parseIfJson } from '../../json/parse-if-json.js'
import { parseListParameters } from '../../http/list-parameters.js'
import type { ListQuery } from '../../query/list-query.js'
import type { Work } from '../../work/work.js'
import type { ControlOptions } from '../control-options.js'
import { OPERATIONS } from '../operations.js'

/** Lists, counts, verifies and clears the recorded requests. The newest comes first. */
export async function requestRoutes(
  app: FastifyInstance,
  { listQueries }: Pick<ControlOptions, 'listQueries'>,
): Promise<void> {
  const preValidation = parseListParameters(listQueries)

  app.get<{ Querystring: ListQuery }>(
    '/',
    { schema: OPERATIONS.requests, preValidation },
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
    { schema: OPERATIONS.countRequests, preValidation },
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
    {
      schema: OPERATIONS.verifyRequests,
      preValidation: parseListParameters(listQueries, ['count']),
    },
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

  app.delete('/', { schema: OPERATIONS.clearRequests }, async ({ sandbox }) => {
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
