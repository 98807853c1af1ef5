import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ItemNotFound } from '../errors.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { AUTH_ERRORS, LIST_ERRORS, responses } from '../http/openapi/responses.js'
import type { CompiledListQuery, ListQuery, ListQueryCompiler } from '../query/list-query.js'
import { parseListParameters } from '../query/list-parameters.js'
import type { ListRequest, Lists } from '../query/list-parameters.js'
import type { UrlParameters } from '../query/plain/url-parameters.js'
import { hasMigratedLists } from '../resources/resources.js'
import { getItemPartSchema } from '../resources/schemas.js'
import { Success } from '../http/envelope-schema.js'
import { LIST_QUERYSTRINGS } from '../query/list-querystring.js'
import type { Collection } from '../store/collection.js'
import { findPageJson, pageJson } from '../store/entry-json.js'
import type { VisibilityFilter } from '../store/visibility.js'
import type { Work } from '../work/work.js'
import { ItemParams, itemNotFound, itemResponses } from './item-operations.js'
import type { ItemRoute } from './item-operations.js'
import { resolvePlainQuery } from './plain-query.js'

/** The options of the routes that read one resource. */
export interface ReadOptions {
  readonly resource: string
  readonly listQueries: ListQueryCompiler
  /** How lists read their parameters. */
  readonly lists: Lists
}

/** `GET /<resource>` and `GET /<resource>/{id}`. Behind the auth plugin. */
export async function readRoutes(
  app: FastifyInstance,
  { resource, listQueries, lists: mode }: ReadOptions,
): Promise<void> {
  const lists = mode === 'migrated' && !hasMigratedLists(resource) ? 'both' : mode
  // The handlers are not async, because a promise would cost each request a turn of microtasks.
  app.get<{ Querystring: ListRequest }>(
    '/',
    {
      schema: listOperation(resource, lists),
      preValidation: (request, _reply, done) => {
        request.query = parseListParameters(request.query as UrlParameters, lists, listQueries)
        done()
      },
    },
    ({ query, accountId, store }, reply) => {
      const collection = store.getCollection(resource)
      const isVisible = store.visibleTo(accountId)
      const list = (listQuery: ListQuery): Work<Buffer[]> =>
        listQueries.run(listQuery, (compiled) => listJson(collection, compiled, isVisible))
      const { equalities, ...listQuery } = query
      const atOnce =
        equalities === undefined
          ? listAtOnce(collection, listQueries.findCompiled(listQuery), isVisible)
          : undefined
      if (atOnce !== undefined) return void reply.sendList(atOnce)
      const listEqual = function* (texts: ReadonlyMap<string, string>): Work<Buffer[]> {
        const equal = yield* resolvePlainQuery(collection, texts, isVisible)
        const conditions = [equal, listQuery.query ?? {}]
        return yield* list({ ...listQuery, query: listQueries.combine(conditions) ?? equal })
      }
      const texts = reply.runWork(
        equalities === undefined ? list(listQuery) : listEqual(equalities),
      )
      return texts instanceof Promise
        ? texts.then((each) => reply.sendList(each))
        : void reply.sendList(texts)
    },
  )

  const config = { itemOf: resource }
  app.get<ItemRoute>('/:id', { schema: getOperation(resource), config }, (request, reply) => {
    const { params, accountId, store } = request
    const entry = store.getCollection(resource).findById(params.id, store.visibleTo(accountId))
    if (entry === undefined) throw new ItemNotFound(resource, params.id)
    void reply.sendItem(entry)
  })
}

/** Returns the texts of a list that an index or no condition answers, if all of them are cached. */
function listAtOnce(
  collection: Collection,
  compiled: CompiledListQuery | undefined,
  isVisible: VisibilityFilter,
): Buffer[] | undefined {
  const page = compiled && collection.findAtOnce(compiled, isVisible)
  return page && findPageJson(page, compiled.fields)
}

function* listJson(
  collection: Collection,
  { fields, ...options }: CompiledListQuery,
  isVisible: VisibilityFilter,
): Work<Buffer[]> {
  const page = yield* collection.find(options, isVisible)
  return yield* pageJson(page, fields)
}

const listOperation = (resource: string, lists: Lists) =>
  ({
    operationId: `${resource}-list`,
    tags: [resource],
    summary: `List ${resource}`,
    description: LIST_DESCRIPTIONS[lists],
    querystring: LIST_QUERYSTRINGS[lists],
    responses: () =>
      responses(Success(Type.Array(getItemPartSchema(resource))), [...AUTH_ERRORS, ...LIST_ERRORS]),
  }) satisfies OperationSchema

const SHORT_FORM = [
  'Without query and projection, `limit`, `skip` and `sort` stand for those of the projection, any',
  'field of the items is an equality (`?name=Default&owner.slug=demo`), and any other parameter is',
  'an error.',
].join(' ')

const LIST_DESCRIPTIONS: Readonly<Record<Lists, string>> = {
  both: [
    'The items that the account sees and that match query, advancedSearches and setId, as the',
    `projection says. A key of the projection stands before the parameter of its name. ${SHORT_FORM}`,
    'Beside query, projection or advancedSearches, equalities have no effect.',
  ].join(' '),
  documented: [
    'The items that the account sees and that match the query, as the projection says.',
    `${SHORT_FORM} Beside query or projection, equalities have no effect.`,
  ].join(' '),
  migrated: [
    'The items that the account sees and that match advancedSearches. Only what is in no set, unless',
    'globalSearch is true or setId is given. All other parameters have no effect.',
  ].join(' '),
}

const getOperation = (resource: string) =>
  ({
    operationId: `${resource}-get`,
    tags: [resource],
    summary: `Get one of ${resource}`,
    description: 'The item with this _id, if the account sees it.',
    params: ItemParams,
    responses: () => itemResponses(resource, [...AUTH_ERRORS, itemNotFound(resource)]),
  }) satisfies OperationSchema
