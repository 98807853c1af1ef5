import type { FastifyInstance } from 'fastify'

import { ParameterInvalid, RouteNotFound } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { parseListParameters } from '../../plugins/input/list-parameters.js'
import type { ListQuery } from '../../query/list-query.js'
import { explain } from '../../store/index/explain.js'
import type { Store } from '../../store/store.js'
import type { VisibilityFilter } from '../../store/visibility.js'
import type { ControlOptions } from './control-options.js'
import { OPERATIONS } from './operations.js'

interface ExplainRoute {
  readonly Params: { readonly resource: string }
  readonly Querystring: ListQuery & { readonly accountId?: string }
}

/** `GET /explain/{resource}`: evaluates a list, and returns its plan and counts, not its items. */
export async function explainRoute(
  app: FastifyInstance,
  { listQueries }: Pick<ControlOptions, 'listQueries'>,
): Promise<void> {
  app.get<ExplainRoute>(
    '/explain/:resource',
    {
      schema: OPERATIONS.explain,
      preValidation: parseListParameters(listQueries, ['accountId']),
    },
    async ({ params, query, url, sandbox: { store } }, reply) => {
      const collection = store.collections.get(params.resource)
      if (collection === undefined) throw new RouteNotFound(url.split('?')[0] as string)
      const isVisible = visibleTo(store, query.accountId)
      return reply.runWork(
        listQueries.run(query, (compiled) => explain(collection, compiled, isVisible)),
      )
    },
  )
}

/**
 * Returns the visibility filter of an account. Without an `accountId`, every item is visible.
 * @throws ParameterInvalid for an unknown account
 */
function visibleTo(store: Store, accountId: string | undefined): VisibilityFilter {
  if (accountId === undefined) return () => true
  if (store.accounts.some(({ _id }) => _id === accountId)) return store.visibleTo(accountId)
  throw new ParameterInvalid(`accountId must be the _id of an account, not ${quote(accountId)}`)
}
