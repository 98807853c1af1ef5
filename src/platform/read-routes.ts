import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'

import { LIST_QUERYSTRINGS, getItemPartSchema, resolveLists } from '@materials-mock/api'
import type { ReadLists } from '@materials-mock/api'
import type { Json } from '@materials-mock/json'
import { compileSelector } from '@materials-mock/query'
import type { CompiledListQuery, Evaluation } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { BudgetExceeded, ItemNotFound, ParameterInvalid, PatternTooCostly } from '../errors.js'
import { runListRequest, toListQuery } from '../http/list/compile.js'
import type { ListQueryCompiler } from '../http/list/compile.js'
import { parametersOf, parseListParameters } from '../http/list/parameters.js'
import type { ListRequest } from '../http/list/parameters.js'
import { LIST_ERRORS } from '../http/openapi/responses.js'
import type {
  CollectionRoute,
  ItemRoute,
  OperationDescription,
  ResourceOperation,
} from '../http/resource-routes.js'
import type { Body } from '../http/send-json.js'
import { refuseUnknownParameters } from '../http/strict-parameters.js'
import type { Collection } from '../store/collection.js'
import { pageJson } from '../store/entry-json.js'
import type { Entry, VisibilityFilter } from '../store/entry.js'

/** The URL parameter that names the account of a default item. */
const DefaultQuerystring = Type.Object({
  accountId: Type.Optional(
    Type.String({ minLength: 1, description: 'The account. The default is your own.' }),
  ),
})
type DefaultQuerystring = Static<typeof DefaultQuerystring>

export interface ReadOptions {
  readonly listQueries: ListQueryCompiler
  readonly lists: ReadLists
  /** What a header says that the lists of the server read; undefined if a deployment answers some of them. */
  readonly announcedLists: ReadLists | undefined
}

export function listOperation({
  listQueries,
  lists: mode,
  announcedLists,
}: ReadOptions): ResourceOperation<CollectionRoute & { Querystring: ListRequest }> {
  return {
    method: 'GET',
    path: '/',
    action: 'list',
    describe: (resource) => describeList(resource, resolveLists(resource, mode)),
    readList: (resource, parameters) =>
      toListQuery(parseListParameters(parameters, resolveLists(resource, mode))),
    prepare(request) {
      const parameters = parametersOf(request)
      const lists = resolveLists(request.params.resource, mode)
      const parse = (): ListRequest => parseListParameters(parameters, lists)
      request.list = listQueries.parseOnce(request.url, parse)
      request.query = request.list
    },
    handle({ params, query, accountId, store }, reply) {
      const collection = store.getCollection(params.resource)
      const isVisible = store.visibleTo(accountId)
      const page = reply.runWork(
        runListRequest(listQueries, collection, query, isVisible, (compiled) =>
          listJson(collection, compiled, isVisible),
        ),
      )
      // Most pages are there at once, and wait for no promise.
      return page instanceof Promise
        ? page.then((each) => pageBody(reply, each, announcedLists))
        : pageBody(reply, page, announcedLists)
    },
  }
}

export const GET_ITEM: ResourceOperation<ItemRoute> = {
  method: 'GET',
  path: '/:id',
  action: 'get',
  describe: (resource) => ({
    summary: `Get an item of ${resource}`,
    description: 'The item with this _id, if the account sees it.',
  }),
  returnsItem: true,
  handle({ params: { resource, id }, accountId, store }, reply) {
    const entry = store.getCollection(resource).findById(id, store.visibleTo(accountId))
    if (entry === undefined) throw new ItemNotFound(resource, id)
    return reply.itemBody(entry)
  },
}

interface ListPage {
  readonly elements: Buffer[]
  readonly total: Evaluation<Entry>['total']
}

function* listJson(
  collection: Collection,
  compiled: CompiledListQuery,
  isVisible: VisibilityFilter,
): Work<ListPage> {
  const { page, total } = yield* collection.findPage(compiled, isVisible)
  return { elements: yield* pageJson(page, compiled.fields), total }
}

function pageBody(
  reply: FastifyReply,
  { elements, total }: ListPage,
  announcedLists: ReadLists | undefined,
): Body | Promise<Body> {
  if (typeof total === 'object') {
    const counted = countAll(reply, total)
    return counted.then((count) => pageBody(reply, { elements, total: count }, announcedLists))
  }
  if (total !== undefined) reply.header(TOTAL, total)
  if (announcedLists !== undefined) reply.header(LISTS_HEADER, announcedLists)
  return reply.listBody(elements)
}

/** The header of a list: the number of all items that match, also of those on other pages. */
const TOTAL = 'X-Total-Count'

/**
 * Undefined if that takes too long: the page is still sent.
 * @throws as the conditions do
 */
async function countAll(reply: FastifyReply, total: Work<number>): Promise<number | undefined> {
  try {
    return await reply.runWork(total)
  } catch (error) {
    if (error instanceof BudgetExceeded || error instanceof PatternTooCostly) return undefined
    throw error
  }
}

/** The header that says which parameters the lists of a server read, so that a client sends only these. */
export const LISTS_HEADER = 'X-Mock-Lists'

export const ANNOUNCED = {
  description: 'Which parameters lists read: the option `--lists`, or `strict`.',
  schema: Type.String({ examples: ['both'] }),
}

const TOTAL_HEADER = {
  description: 'The number of all items that match, unless they could not be counted in time.',
  schema: Type.Integer({ minimum: 0, examples: [74] }),
}

const describeList = (resource: string, lists: ReadLists): OperationDescription => ({
  summary: `List ${resource}`,
  description: LIST_DESCRIPTIONS[lists],
  querystring: LIST_QUERYSTRINGS[lists],
  data: () => Type.Array(getItemPartSchema(resource)),
  errors: LIST_ERRORS,
  headers: {
    [TOTAL]: TOTAL_HEADER,
    [LISTS_HEADER]: ANNOUNCED,
  },
})

const SHORT_FORM = [
  'Without query and projection, `limit`, `skip` and `sort` stand for the keys of the projection, any',
  'field of the items is an equality (`?name=Default&owner.slug=demo`), and any other parameter is',
  'an error.',
].join(' ')

const LIST_DESCRIPTIONS: Readonly<Record<ReadLists, string>> = {
  both: [
    'The items that the account sees and that match query, advancedSearches and setId, as the',
    `projection says. A key of the projection takes precedence over the parameter of the same name. ${SHORT_FORM}`,
    'With query, projection or advancedSearches, equalities have no effect.',
  ].join(' '),
  documented: [
    'The items that the account sees and that match the query, as the projection says.',
    `${SHORT_FORM} With query or projection, equalities have no effect.`,
  ].join(' '),
  strict: 'The items that the account sees and that match the query, as the projection says.',
  migrated: [
    'The items that the account sees and that match advancedSearches. Only items in no set, unless',
    'globalSearch is true or setId is given. All other parameters have no effect.',
  ].join(' '),
}

export const GET_DEFAULT: ResourceOperation<CollectionRoute & { Querystring: DefaultQuerystring }> =
  {
    method: 'GET',
    path: '/default',
    describe: (resource) => ({
      summary: `Get the default item of ${resource}`,
      description: 'The item of the account that has isDefault: true.',
      querystring: DefaultQuerystring,
      errors: [
        new ParameterInvalid('accountId must be a string that is not empty, not ""'),
        new BudgetExceeded(1000, '1000 ms scanning items'),
        new ItemNotFound(resource, 'nothing'),
      ],
    }),
    prepare: refuseUnknownParameters,
    async handle({ params: { resource }, query, accountId, store }, reply) {
      const collection = store.getCollection(resource)
      const isVisible = store.visibleTo(accountId)
      const ownerId = query.accountId ?? accountId
      const owners = ownerId === accountId ? [ownerId, { $ne: ownerId }] : [ownerId]
      const work = findDefault(collection, owners, isVisible)
      const entry = collection.findById('default', isVisible) ?? (await reply.runWork(work)) // as for DELETE
      if (entry === undefined) throw new ItemNotFound(resource, 'default')
      return reply.itemBody(entry)
    },
  }

/**
 * An account has its own default, or else a visible one of another owner, which all share.
 * @param owners the conditions on the owner, in order
 */
function* findDefault(
  collection: Collection,
  owners: readonly Json[],
  isVisible: VisibilityFilter,
): Work<Entry | undefined> {
  for (const owner of owners) {
    const selector = compileSelector({ isDefault: true, 'owner._id': owner })
    const options = { selector, sort: undefined, skip: 0, limit: 1 }
    const [entry] = yield* collection.find(options, isVisible)
    if (entry !== undefined) return entry
  }
  return undefined
}
