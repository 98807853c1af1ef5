import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { parseListParameters } from '../../plugins/list-parameters.js'
import type { ListQuery } from '../../query/list-query.js'
import { ListQuerystring } from '../../schemas/list-querystring.js'
import { pageJson } from '../../store/entry-json.js'
import type { ControlOptions } from './control-options.js'

/** The parameters of a count: those of a list without the projection. */
const CountQuerystring = Type.Pick(ListQuerystring, ['query'])

/** Lists, counts and clears the recorded requests. The newest comes first. */
export async function requestRoutes(
  app: FastifyInstance,
  { controls: { journal }, listQueries }: Pick<ControlOptions, 'controls' | 'listQueries'>,
): Promise<void> {
  const preValidation = parseListParameters(listQueries)

  app.get<{ Querystring: ListQuery }>(
    '/',
    { schema: { querystring: ListQuerystring }, preValidation },
    async ({ query }, reply) => {
      const listQuery = listQueries.compile(query)
      const page = await journal.toCollection().find(listQuery, everything)
      return reply.sendList(pageJson(page, listQuery))
    },
  )

  app.get<{ Querystring: ListQuery }>(
    '/count',
    { schema: { querystring: CountQuerystring }, preValidation },
    async ({ query }) => {
      const listQuery = { ...listQueries.compile(query), limit: journal.capacity }
      const page = await journal.toCollection().find(listQuery, everything)
      return { count: page.length }
    },
  )

  app.delete('/', async () => {
    journal.clear()
    return {}
  })
}

const everything = (): boolean => true
