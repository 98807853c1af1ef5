import { Type } from '@sinclair/typebox'
import type { TObject } from '@sinclair/typebox'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'

import { ItemNotFound } from '../../errors.js'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import type { OperationSchema } from '../../http/openapi/responses.js'
import { parseListParameters } from '../../query/list-parameters.js'
import type { ListRequest, Lists, UrlParameters } from '../../query/list-parameters.js'
import { LIST_QUERYSTRINGS } from '../../query/list-querystring.js'
import { resolveLists } from '../../resources/resources.js'
import { explain } from '../../store/explain.js'
import { runListRequest } from '../../store/list-request.js'
import {
  Count,
  NO_RESOURCE,
  ResourceParameters,
  findCollection,
  findVisibility,
  operation,
} from '../control.js'
import type { ControlOptions } from '../control.js'
import { explainItem } from './explain-item.js'
import { ItemExplanation } from './explanation.js'

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

/** The parameters of a list, and the account that requests it. */
const querystring = (lists: Lists): TObject =>
  Type.Object(
    {
      ...LIST_QUERYSTRINGS[lists].properties,
      accountId: Type.Optional(
        Type.String({ description: 'The _id of the account that sees the items (default: all).' }),
      ),
    },
    { additionalProperties: true },
  )

const explainOperation = (lists: Lists): OperationSchema =>
  operation('explain', 'Show how a list is evaluated', Explanation, {
    description: 'Returns the plan and the counts of a list, but not its items.',
    params: ResourceParameters,
    querystring: querystring(lists),
    errors: [NO_RESOURCE, ...LIST_ERRORS],
  })

const explainItemOperation = (lists: Lists): OperationSchema =>
  operation('explain-item', 'Tell why an item is in a list or not', ItemExplanation, {
    description:
      'Returns the values that each condition found in the item, whether the owner hides the item, and its place in the list.',
    params: Type.Object({
      resource: Type.String({ description: 'The name of a resource.', examples: ['materials'] }),
      id: Type.String({ description: 'The _id of the item.', examples: ['QbA7yYP5XSiZheuS5'] }),
    }),
    querystring: querystring(lists),
    errors: [NO_RESOURCE, new ItemNotFound('materials', 'm9'), ...LIST_ERRORS],
  })

interface ExplainRoute {
  readonly Params: { readonly resource: string }
  readonly Querystring: ListRequest & { readonly accountId?: string }
}

interface ExplainItemRoute extends ExplainRoute {
  readonly Params: { readonly resource: string; readonly id: string }
}

/**
 * `GET /explain/{resource}` evaluates a list, and returns its plan and counts, but not its items. `GET
 * /explain/{resource}/{id}` tells why an item is in the list, or why not. Both read their parameters as
 * the list does.
 */
export async function explainRoutes(
  app: FastifyInstance,
  { listQueries, lists }: Pick<ControlOptions, 'listQueries' | 'lists'>,
): Promise<void> {
  const preValidation: preValidationHookHandler = (request, _reply, done) => {
    const { resource } = request.params as ExplainRoute['Params']
    const { accountId, ...parameters } = request.query as UrlParameters
    const mode = resolveLists(resource, lists)
    request.query = { ...parseListParameters(parameters, mode), accountId }
    done()
  }

  app.get<ExplainRoute>(
    '/:resource',
    { schema: explainOperation(lists), preValidation },
    async (request, reply) => {
      const collection = findCollection(request)
      const { accountId, ...listRequest } = request.query
      const isVisible = findVisibility(request.sandbox.store, accountId)
      const work = runListRequest(listQueries, collection, listRequest, isVisible, (compiled) =>
        explain(collection, compiled, isVisible),
      )
      return reply.runWork(work)
    },
  )

  app.get<ExplainItemRoute>(
    '/:resource/:id',
    { schema: explainItemOperation(lists), preValidation },
    async (request, reply) => {
      const collection = findCollection(request)
      const { params, query, sandbox } = request
      const { accountId, ...listRequest } = query
      const isVisible = findVisibility(sandbox.store, accountId)
      const work = runListRequest(listQueries, collection, listRequest, isVisible, (compiled) =>
        explainItem(sandbox.store, collection, params.id, { compiled, accountId }),
      )
      return reply.runWork(work)
    },
  )
}
