import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  preValidationHookHandler,
} from 'fastify'

import { OPERATIONS } from '@materials-mock/api'
import type {
  AnswerOf,
  BodyOf,
  OperationName,
  ParamsOf,
  QueryOf,
  ReadLists,
} from '@materials-mock/api'
import { compileParser, quote, toUrlTexts, withoutUndefined } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { BodyInvalid, ContentTypeUnsupported, ParameterInvalid, RouteNotFound } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import type { FixtureReloader } from '../fixtures/fixture-reloader.js'
import { Success } from '../http/envelope-schema.js'
import type { ListQueryCompiler } from '../http/list/compile.js'
import { parametersOf, parseListParameters } from '../http/list/parameters.js'
import type { UrlParameters } from '../http/list/parameters.js'
import { JSON_BODY_ERRORS, responses } from '../http/openapi/responses.js'
import type { OperationSchema, ResponseObject } from '../http/openapi/responses.js'
import { CALLER_FORBIDDEN_EXAMPLE } from '../http/callers.js'
import { toBaseUrl } from '../http/base-url.js'
import { liftBudget } from '../http/run-work.js'
import { sendValue } from '../http/send-texts.js'
import type { Collection } from '../store/collection.js'
import type { VisibilityFilter } from '../store/entry.js'
import type { Store } from '../store/store.js'

export interface ControlOptions {
  readonly version: string
  readonly readOnly: boolean
  readonly strict: boolean
  readonly listQueries: ListQueryCompiler
  readonly lists: ReadLists
  /** The files of the fixtures; undefined if they are lists, or if the server keeps its items. */
  readonly reloader: FixtureReloader | undefined
}

/** A call of an operation: by a request to its control, by a mock in process, or by an agent's tool. */
export interface Call<Params = object, Query = object, Body = unknown> {
  readonly sandbox: FastifyRequest['sandbox']
  /** The URL of the server: `http://127.0.0.1:4000`. */
  readonly origin: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The length of a list of requests whose query has no limit (default: that of a page). */
  readonly defaultLimit?: number
}

/** A call of the operation with a request. */
type CallOf<Name extends OperationName> = Call<ParamsOf<Name>, QueryOf<Name>, BodyOf<Name>>

interface Definition<Name extends OperationName> extends Pick<Details, 'description' | 'errors'> {
  /** The parameters of the URL, if they depend on an option. */
  readonly querystring?: TSchema
  /**
   * Whether it happens at once: in process it returns its result, and no promise; over HTTP, no other request meets
   * a part of it (default: whether it is one step).
   */
  readonly isAtomic?: boolean
  readonly isShared?: boolean
  /**
   * Whether it replaces the whole state. So it does not wait for the jobs, whose work it ends, and another such
   * operation does not end it.
   */
  readonly replacesState?: boolean
  /** Whether no job changes its result, so that it does not wait for those that end. */
  readonly ignoresJobs?: boolean
  readonly prepare?: preValidationHookHandler
  /** Does it in one step. */
  run?(call: CallOf<Name>): AnswerOf<Name> | Promise<AnswerOf<Name>>
  /** Does it in slices. If it is atomic, it changes nothing before its last step. */
  work?(call: CallOf<Name>): Work<AnswerOf<Name>>
  /** Sends the response of the control (default: the result, or an empty object). */
  respond?(call: CallOf<Name>, reply: FastifyReply): unknown
}

/**
 * An operation of a mock: what the table of packages/api says of it, and what it does. Its control, the OpenAPI document
 * of the controls, the members of a mock and the tools of agents follow from it.
 */
export interface Operation
  extends
    TakenSchemas,
    Omit<Definition<OperationName>, 'querystring' | 'run' | 'work' | 'respond'> {
  /** The request to its control, below `/__admin`: `PUT /snapshots/:name`. */
  readonly request: OperationName
  readonly operationId: string
  readonly summary: string
  readonly success?: TSchema
  run?(call: Call): unknown
  work?(call: Call): Work<unknown>
  respond?(call: Call, reply: FastifyReply): unknown
}

export const defineOperation = <Name extends OperationName>(
  request: Name,
  operationId: string,
  summary: string,
  definition: Definition<Name>,
): Operation =>
  ({
    request,
    operationId,
    summary,
    ...OPERATIONS[request],
    ...definition,
  }) as Operation

/** What a call of an operation takes. Parameters are values of JSON, or texts. */
export type Input = Partial<Pick<Call, 'params' | 'query' | 'body'>>

/** Parses the JSON of `query` and `projection`. Other parameters stay as they are. */
export const parseQuery: preValidationHookHandler = (request, _reply, done) => {
  request.query = parseParameters(parametersOf(request))
  done()
}

const parseParameters = ({ query, projection, ...others }: UrlParameters): object => ({
  ...others,
  ...parseListParameters({ query, projection }, 'documented'),
})

type TakenSchemas = Pick<OperationSchema, 'params' | 'querystring' | 'body'>

type Details = TakenSchemas & {
  readonly description: string
  /** One error of each code that only this control may respond with. */
  readonly errors?: readonly CatalogueError[]
  /** The success by its media types (default: JSON in the envelope). */
  readonly content?: ResponseObject['content']
}

export const operation = (
  operationId: string,
  summary: string,
  success: TSchema,
  { errors = [], content, ...requests }: Details,
): OperationSchema => ({
  operationId,
  tags: ['controls'],
  summary,
  security: [],
  ...requests,
  responses: () => {
    const all = responses(Success(success), [...CONTROL_ERRORS, ...JSON_BODY_ERRORS, ...errors])
    return content === undefined
      ? all
      : { ...all, 200: { description: 'Success', ...all[200], content } }
  },
})

export function registerControl(app: FastifyInstance, entry: Operation): void {
  const { operationId, summary, success = NOTHING, description, errors = [], prepare } = entry
  const [method, url] = entry.request.split(' ') as [HTTPMethods, string]
  const details = { description, errors, ...pickSchemas(entry) }
  app.route({
    method,
    url,
    schema: operation(operationId, summary, success, details),
    config: {
      isSharedBySandboxes: entry.isShared === true,
      replacesState: entry.replacesState === true,
      ignoresJobs: entry.ignoresJobs === true,
    },
    ...(prepare && { preValidation: prepare }),
    handler: async (request, reply) => {
      const { sandbox, server, headers, socket, params, query, body } = request
      // What replaces the state is whole, however long it takes.
      if (entry.replacesState === true) liftBudget(request)
      const origin = toBaseUrl({ server, headers, socket, sandboxPath: '' })
      const call = { sandbox, origin, params, query, body } as Call
      if (entry.respond !== undefined) return entry.respond(call, reply)
      const work = entry.work?.(call)
      const result = await (work ? reply.runWork(work) : reply.runStep(() => entry.run?.(call)))
      return sendValue(reply, result ?? {})
    },
  })
}

const pickSchemas = ({ params, querystring, body }: Operation): TakenSchemas =>
  withoutUndefined({ params, querystring, body }) as object

/** Calls an operation without a request, and validates as its control does. */
export function callOperation(
  entry: Operation,
  { query, ...others }: Call,
  runWork: (work: Work<unknown>) => unknown,
): unknown {
  const call = { ...others, query: parseParameters(toUrlTexts(query)) }
  const { params, querystring, body } = pickSchemas(entry)
  if (params !== undefined) compileParser(params, 'params')(call.params)
  if (querystring !== undefined) compileParser(querystring, 'querystring')(call.query)
  if (body !== undefined) compileParser(body, 'body')(call.body)
  const work = entry.work?.(call)
  if (work === undefined) return entry.run?.(call)
  return entry.isAtomic === true ? runToEnd(work) : runWork(work)
}

/** Whether an operation happens at once, so that a call in process returns no promise. */
export const isAtomic = (entry: Operation): boolean => entry.isAtomic ?? entry.work === undefined

const CONTROL_ERRORS = [
  CALLER_FORBIDDEN_EXAMPLE,
  new ParameterInvalid('"full" is not a parameter of GET /__admin/health, which has none'),
  new BodyInvalid('POST /__admin/reset takes no body'),
  new ContentTypeUnsupported('text/plain', 'application/json'),
]

const NOTHING = Type.Object({}, { additionalProperties: false, examples: [{}] })

export const NO_RESOURCE = new RouteNotFound(
  '/__admin/fixtures/nothing; the resources are jobs, materials',
)

/** @throws RouteNotFound for an unknown resource, and for `accounts` */
export function findCollection(
  { params, sandbox }: Pick<Call<{ readonly resource: string }>, 'params' | 'sandbox'>,
  group: 'explain' | 'fixtures',
): Collection {
  const { collections } = sandbox.store
  const collection = collections.get(params.resource)
  if (collection !== undefined) return collection
  const path = ['/__admin', group, ...Object.values(params)].join('/')
  throw new RouteNotFound(`${path}; the resources are ${[...collections.keys()].join(', ')}`)
}

/** One filter, so that its view is kept. */
const SEES_ALL: VisibilityFilter = () => true

/**
 * Without an `accountId`, every item is visible.
 * @throws ParameterInvalid for an unknown account
 */
export function findVisibility(store: Store, accountId: string | undefined): VisibilityFilter {
  if (accountId === undefined) return SEES_ALL
  if (store.accounts.some(({ _id }) => _id === accountId)) return store.visibleTo(accountId)
  throw new ParameterInvalid(
    `accountId must be the _id of an account, as GET /__admin/accounts lists them, not ${quote(accountId)}`,
  )
}
