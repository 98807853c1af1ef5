import type { FastifyInstance } from 'fastify'

import { BudgetExceeded, ItemNotFound, ParameterInvalid } from '../errors.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { AUTH_ERRORS } from '../http/openapi/responses.js'
import { compileSelector } from '../query/selector/compile-selector.js'
import { DefaultQuerystring } from '../domain/sets/item-parameters.js'
import type { Collection } from '../store/collection.js'
import type { Entry } from '../store/entry.js'
import type { VisibilityFilter } from '../store/visibility.js'
import type { Work } from '../work/work.js'
import { itemNotFound, itemResponses } from './item-operations.js'
import type { ReadOptions } from './read-routes.js'

/** `GET /<resource>/default`: the default item of an account. Behind the auth plugin. */
export async function defaultRoute(app: FastifyInstance, { resource }: ReadOptions): Promise<void> {
  app.get<{ Querystring: DefaultQuerystring }>(
    '/default',
    { schema: defaultOperation(resource) },
    async ({ query, accountId, store }, reply) => {
      const collection = store.getCollection(resource)
      const isVisible = store.visibleTo(accountId)
      const work = findDefault(collection, query.accountId ?? accountId, isVisible)
      const entry = (await reply.runWork(work)) ?? collection.findById('default', isVisible)
      if (entry === undefined) throw new ItemNotFound(resource, 'default')
      return reply.sendItem(entry)
    },
  )
}

function* findDefault(
  collection: Collection,
  ownerId: string,
  isVisible: VisibilityFilter,
): Work<Entry | undefined> {
  const selector = compileSelector({ isDefault: true, 'owner._id': ownerId })
  const options = { selector, sort: undefined, skip: 0, limit: 1 }
  return (yield* collection.find(options, isVisible))[0]
}

const defaultOperation = (resource: string) =>
  ({
    operationId: `${resource}-default`,
    tags: [resource],
    summary: `Get the default one of ${resource}`,
    description: 'The item of the account that has isDefault: true.',
    querystring: DefaultQuerystring,
    responses: () =>
      itemResponses(resource, [
        ...AUTH_ERRORS,
        new ParameterInvalid('accountId must be a string that is not empty, not ""'),
        new BudgetExceeded(1000, '1000 ms scanning items'),
        itemNotFound(resource),
      ]),
  }) satisfies OperationSchema
