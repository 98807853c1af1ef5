import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'

import { Fault, LAST_TIME, ListQuerystring } from '@materials-mock/api'
import type { AnswerOf, OperationName } from '@materials-mock/api'
import { checkKnown, compileParser } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { Projection, Query, applyFields } from '@materials-mock/query'
import type { CompiledListQuery } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import type { ListQueryCompiler } from '../../http/list/compile.js'
import { parseParameter } from '../../http/list/json-parameter.js'
import type { Collection } from '../../store/collection.js'
import type { Store } from '../../store/store.js'
import { callOperation } from '../control.js'
import type { Input } from '../control.js'

export interface ToolContext {
  /** The request, whose sandbox and budget are those of the tool. */
  readonly request: FastifyRequest
  readonly listQueries: ListQueryCompiler
}

/** A tool of the Model Context Protocol, as `tools/list` describes it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: TObject
  /** @throws CatalogueError for arguments that are wrong, and as the control that it stands for */
  readonly call: (input: JsonObject, context: ToolContext) => Promise<JsonObject>
}

/** The largest result, in bytes of JSON. */
export const MAX_RESULT = 20_000

/** The room for the fields of a result beside its items, in bytes. */
const MARGIN = 500

function createTool<Schema extends TObject>(
  name: string,
  description: string,
  inputSchema: Schema,
  call: (input: Static<Schema>, context: ToolContext) => Promise<JsonObject>,
): Tool {
  const parse = compileParser(inputSchema, 'body')
  return {
    name,
    description,
    inputSchema,
    call: async (input, context) => call(parse(input), context),
  }
}

const Arguments = <Properties extends TObject['properties']>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

const Account = Type.Optional(Type.String())

const Selector = Type.Unsafe<JsonObject>(Query)

const { sort, fields, limit } = Projection.properties

const parseList = compileParser(ListQuerystring, 'querystring')

export const TOOLS: readonly Tool[] = [
  createTool(
    'list_items',
    'List the items of a resource (materials, jobs, workflows, projects …) that match a MongoDB query, as an account sees them: its _id or username, by default the first one.',
    Arguments({
      resource: Type.String(),
      query: Type.Optional(Selector),
      sort,
      fields,
      limit,
      account: Account,
    }),
    async ({ resource, query = {}, account, ...projection }, context) => {
      const { store } = context.request.sandbox
      const collection = findCollection(store, resource)
      const isVisible = store.visibleTo(toAccountId(store, account))
      const listQuery = parseList({
        query: parseParameter('query', JSON.stringify(query)),
        projection: parseParameter('projection', JSON.stringify(projection)),
      })
      return context.request.runWork(
        context.listQueries.run(listQuery, (compiled) =>
          listItems(collection, compiled, isVisible),
        ),
      )
    },
  ),
  createTool(
    'explain_item',
    'Explain why an item is in the list of a MongoDB query, or why not.',
    Arguments({ resource: Type.String(), id: Type.String(), query: Selector, account: Account }),
    async ({ resource, id, query, account }, context) => {
      const { store } = context.request.sandbox
      findCollection(store, resource)
      const { listed, matches, visible, owner, place, total, text } = await callControl(
        context,
        'GET /explain/:resource/:id',
        { params: { resource, id }, query: { query, accountId: toAccountId(store, account) } },
      )
      const lines = fit('lines', text.split('\n'))
      return { listed, matches, visible, owner, place, total, ...lines }
    },
  ),
  createTool(
    'list_requests',
    'List recorded requests to the API with their responses, the newest first. The query is of requests: {"status": {"$gte": 400}}.',
    Arguments({ query: Type.Optional(Selector), limit }),
    async ({ query, limit: count = 20 }, context) => {
      const requests = await callControl(context, 'GET /requests', {
        query: { query, projection: { limit: count } },
      })
      const { isComplete: complete } = context.request.sandbox.journal
      return { complete, ...fit('requests', await context.request.runWork(cutBodies(requests))) }
    },
  ),
  createTool(
    'add_fault',
    'Make requests under /api fail or wait. path is a glob, e.g. "/api/*/materials".',
    Fault,
    async (body, context) => {
      const { _id } = await callControl(context, 'POST /faults', { body })
      return { _id }
    },
  ),
  createTool(
    'reset',
    'Restore the fixtures; end sessions; remove faults and recorded requests.',
    Arguments({}),
    async (_input, context) => {
      await callControl(context, 'POST /reset', {})
      return {}
    },
  ),
  createTool(
    'advance_clock',
    'Move the clock forward; jobs that are due then have run.',
    Arguments({ ms: Type.Integer({ minimum: 0, maximum: LAST_TIME }) }),
    async ({ ms }, context) => ({
      ...(await callControl(context, 'POST /clock', { body: { advance: ms } })),
    }),
  ),
]

/** Calls an operation of the mock within the budget of the request. */
const callControl = async <Name extends OperationName>(
  { request }: ToolContext,
  name: Name,
  input: Input,
): Promise<AnswerOf<Name>> => {
  const { sandbox, server } = request
  const call = { sandbox, origin: '', params: {}, query: {}, body: undefined, ...input }
  const runWork = (work: Work<unknown>): unknown => request.runWork(work)
  return callOperation(server.operations.get(name)!, call, runWork) as never
}

function* listItems(
  collection: Collection,
  compiled: CompiledListQuery,
  isVisible: ReturnType<Store['visibleTo']>,
): Work<JsonObject> {
  const { page, total } = yield* collection.findPage(compiled, isVisible)
  const items: JsonObject[] = []
  for (const { item } of page) items.push(yield* applyFields(compiled.fields, item))
  const matched = typeof total === 'object' ? yield* total : (total ?? items.length)
  return { matched, ...fit('items', items) }
}

/** @throws ParameterInvalid */
const findCollection = ({ collections }: Store, resource: string): Collection =>
  find('resource', resource, collections)

/**
 * The first account by default.
 * @throws ParameterInvalid for an unknown one
 */
function toAccountId({ accounts }: Store, account = accounts[0]?._id ?? ''): string {
  const byName = accounts.map(({ _id, username }) => [username, _id] as const)
  return accounts.some(({ _id }) => _id === account)
    ? account
    : find('account', account, new Map(byName))
}

/** @throws ParameterInvalid that names the known keys */
function find<Value>(name: string, key: string, values: ReadonlyMap<string, Value>): Value {
  checkKnown(name, key, [...values.keys()])
  return values.get(key)!
}

/** Returns the first elements of a list, as many as a result has room for, and says how many are left out. */
function fit(name: string, list: readonly Json[]): JsonObject {
  let bytes = MARGIN
  const end = list.findIndex((each) => {
    bytes += Buffer.byteLength(JSON.stringify(each)) + 1
    return bytes > MAX_RESULT
  })
  if (end === -1) return { [name]: [...list] }
  const cut = `${list.length - end} of ${list.length} ${name} are left out: the result has at most ${MAX_RESULT} bytes. Ask for fewer, or for some fields`
  return { [name]: list.slice(0, end), cut }
}

/** The longest body of a request or response, in characters of JSON. */
const MAX_BODY = 1000

/** Replaces long bodies of requests and responses by the start of their JSON. */
function* cutBodies(requests: readonly JsonObject[]): Work<JsonObject[]> {
  const cut: JsonObject[] = []
  for (const each of requests) {
    const text = JSON.stringify(each, (key, value: Json) =>
      key === 'body' ? cutBody(value) : value,
    )
    cut.push(JSON.parse(text))
    yield 'writing the response'
  }
  return cut
}

function cutBody(body: Json): Json {
  const text = JSON.stringify(body)
  if (text.length <= MAX_BODY) return body
  return `${text.slice(0, MAX_BODY)}… (cut, of ${text.length} characters)`
}
