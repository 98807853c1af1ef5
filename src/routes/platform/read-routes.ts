import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import {
  BoundExceeded,
  BudgetExceeded,
  ItemNotFound,
  ParameterInvalid,
  PatternTooCostly,
  ProjectionInvalid,
  QueryInvalid,
} from '../../errors.js'
import type { OperationSchema } from '../../openapi/operation-schema.js'
import { AUTH_ERRORS, responses } from '../../openapi/responses.js'
import { parseListParameters } from '../../plugins/input/list-parameters.js'
import type { CompiledListQuery, ListQuery, ListQueryCompiler } from '../../query/list-query.js'
import { getItemSchemas } from '../../schemas/item.js'
import { Success } from '../../schemas/jsend.js'
import { ListQuerystring } from '../../schemas/list-querystring.js'
import type { Collection } from '../../store/collection.js'
import { pageJson } from '../../store/entry-json.js'
import type { Store } from '../../store/store.js'
import type { VisibilityFilter } from '../../store/visibility.js'
import type { Work } from '../../work/work.js'
import { ItemParams, itemNotFound, itemResponses } from './item-operations.js'
import type { ItemRoute } from './item-operations.js'

/** The options of the routes that read one resource. */
export interface ReadOptions {
  readonly store: Store
  readonly collection: Collection
  readonly listQueries: ListQueryCompiler
}

/** `GET /<resource>` and `GET /<resource>/{id}`. Behind the auth plugin. */
export async function readRoutes(app: FastifyInstance, options: ReadOptions): Promise<void> {
  const { store, collection, listQueries } = options
  const { resource } = collection

  // The handlers are not async, because a promise would cost each request a turn of microtasks.
  app.get<{ Querystring: ListQuery }>(
    '/',
    { schema: listOperation(resource), preValidation: parseListParameters(listQueries) },
    ({ query, accountId }, reply) => {
      const isVisible = store.visibleTo(accountId)
      const texts = reply.runWork(
        listQueries.run(query, (compiled) => listJson(collection, compiled, isVisible)),
      )
      return texts instanceof Promise
        ? texts.then((each) => reply.sendList(each))
        : void reply.sendList(texts)
    },
  )

  app.get<ItemRoute>('/:id', { schema: getOperation(resource) }, ({ params, accountId }, reply) => {
    const entry = collection.findById(params.id, store.visibleTo(accountId))
    if (entry === undefined) throw new ItemNotFound(resource, params.id)
    void reply.sendItem(entry)
  })
}

function* listJson(
  collection: Collection,
  { fields, ...options }: CompiledListQuery,
  isVisible: VisibilityFilter,
): Work<Buffer[]> {
  const page = yield* collection.find(options, isVisible)
  return yield* pageJson(page, fields)
}

const listOperation = (resource: string) =>
  ({
    operationId: `${resource}-list`,
    tags: [resource],
    summary: `List ${resource}`,
    description:
      'The items that the account sees and that match the query, as the projection says.',
    querystring: ListQuerystring,
    responses: () =>
      responses(Success(Type.Array(getItemSchemas(resource).partial)), [
        ...AUTH_ERRORS,
        ...LIST_ERRORS,
      ]),
  }) satisfies OperationSchema

const getOperation = (resource: string) =>
  ({
    operationId: `${resource}-get`,
    tags: [resource],
    summary: `Get one of ${resource}`,
    description: 'The item with this _id, if the account sees it.',
    params: ItemParams,
    responses: () => itemResponses(resource, [...AUTH_ERRORS, itemNotFound(resource)]),
  }) satisfies OperationSchema

const LIST_ERRORS = [
  new QueryInvalid('query.formula.$gtx is not an operator on a field'),
  new ProjectionInvalid('projection.limit must be an integer from 1 to 500, not 501'),
  new ParameterInvalid('query is given 2 times; give it once'),
  new BoundExceeded('query must have at most 32768 bytes of JSON, not 40000'),
  new BudgetExceeded(1000, '990 ms scanning items, 10 ms writing the response'),
  new PatternTooCostly(20),
]
