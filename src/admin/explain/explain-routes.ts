import type { FastifyInstance } from 'fastify'

import { findVisibility } from './find-visibility.js'
import { parseListParameters } from '../../http/list-parameters.js'
import type { ListQuery } from '../../query/list-query.js'
import { explain } from '../../store/index/explain.js'
import type { ControlOptions } from '../control-options.js'
import { findCollection } from '../find-collection.js'
import { OPERATIONS } from '../operations.js'

interface ExplainRoute {
  readonly Params: { readonly resource: string }
  readonly Querystring: ListQuery & { readonly accountId?: string }
}

interface ExplainItemRoute extends ExplainRoute {
  readonly Params: { readonly resource: string; readonly id: string }
}

/**
 * `GET /explain/{resource}` evaluates a list, and returns its plan and counts, not its items.
 * `GET /explain/{resource}/{id}` tells why an item is in the list, or why not.
 */
export async function explainRoutes(
  app: FastifyInstance,
  { listQueries }: Pick<ControlOptions, 'listQueries'>,
): Promise<void> {
  const preValidation = parseListParameters(listQueries, ['accountId'])
  const options = { schema: OPERATIONS.explain, preValidation }
  const itemOptions = { schema: OPERATIONS.explainItem, preValidation }

  app.get<ExplainRoute>('/:resource', options, async (request, reply) => {
    const collection = findCollection(request)
    const { query, sandbox } = request
    const isVisible = findVisibility(sandbox.store, query.accountId)
    return reply.runWork(
      listQueries.run(query, (compiled) => explain(collection, compiled, isVisible)),
    )
  })

  app.get<ExplainItemRoute>('/:resource/:id', itemOptions, async (request, reply) => {
    const collection = findCollection(request)
    const { params, query, sandbox } = request
    const { explainItem } = await import('./explain-item.js')
    return reply.runWork(
      listQueries.run(query, (compiled) =>
        explainItem(sandbox.store, collection, params.id, {
          query: query.query ?? {},
          compiled,
          accountId: query.accountId,
        }),
      ),
    )
  })
}
