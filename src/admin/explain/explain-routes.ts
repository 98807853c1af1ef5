import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ItemNotFound } from '../../errors.js'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { ListQuerystring } from '../../query/list-querystring.js'
import { findVisibility } from './find-visibility.js'
import { parseListParameters } from '../../http/list-parameters.js'
import type { ListQuery } from '../../query/list-query.js'
import { explain } from '../../store/index/explain.js'
import { Count, NO_RESOURCE, ResourceParameters, findCollection, operation } from '../control.js'
import type { ControlOptions } from '../control.js'
import { ItemExplanation } from './explanation.js'

/** The parameters of a list, and the account that requests it. */
const ExplainQuerystring = Type.Object({
  ...ListQuerystring.properties,
  accountId: Type.Optional(
    Type.String({ description: 'The _id of the account that sees the items (default: all).' }),
  ),
})

/** How a list is evaluated. */
const Explanation = Type.Object(
  {
    plan: Type.String({ examples: ['index on formula'] }),
    conditions: Type.Array(Type.String({ examples: ['formula $eq'] })),
    candidates: Count,
    examined: Count,
    matched: Count,
    returned: Count,
    ms: Type.Number({ examples: [0.46] }),
  },
  { $id: 'Explanation' },
)

const EXPLAIN = operation('explain', 'Show how a list is evaluated', Explanation, {
  description: 'The plan and the counts of a list, not its items.',
  params: ResourceParameters,
  querystring: ExplainQuerystring,
  errors: [NO_RESOURCE, ...LIST_ERRORS],
})

const EXPLAIN_ITEM = operation(
  'explain-item',
  'Tell why an item is in a list or not',
  ItemExplanation,
  {
    description:
      'What each operator of the query met in the item, whether its owner hides it, and its place in the list.',
    params: Type.Object({
      resource: Type.String({ description: 'The name of a resource.', examples: ['materials'] }),
      id: Type.String({ description: 'The _id of the item.', examples: ['QbA7yYP5XSiZheuS5'] }),
    }),
    querystring: ExplainQuerystring,
    errors: [NO_RESOURCE, new ItemNotFound('materials', 'm9'), ...LIST_ERRORS],
  },
)

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
  const options = { schema: EXPLAIN, preValidation }
  const itemOptions = { schema: EXPLAIN_ITEM, preValidation }

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
          compiled,
          accountId: query.accountId,
        }),
      ),
    )
  })
}
