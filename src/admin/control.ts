import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyRequest, preValidationHookHandler } from 'fastify'

import {
  AdminForbidden,
  BodyInvalid,
  ContentTypeUnsupported,
  ParameterInvalid,
  RouteNotFound,
} from '../errors.js'
import type { CatalogueError } from '../errors.js'
import type { FixtureReloader } from '../fixtures/fixture-reloader.js'
import { Success } from '../http/envelope-schema.js'
import { JSON_BODY_ERRORS, responses } from '../http/openapi/responses.js'
import type { OperationSchema, ResponseObject } from '../http/openapi/responses.js'
import type { NameGuard } from '../http/name-guard.js'
import { quote } from '../json/quote.js'
import { parseListParameters } from '../query/list-parameters.js'
import type { Lists, UrlParameters } from '../query/list-parameters.js'
import type { ListQueryCompiler } from '../query/list-query.js'
import type { Collection } from '../store/collection.js'
import type { VisibilityFilter } from '../store/entry.js'
import type { Store } from '../store/store.js'
import { EXPECTED_NAME, NAME_PATTERN } from './names.js'

/** The options of the control routes. */
export interface ControlOptions {
  /** Decides who may use the controls; undefined for everybody. */
  readonly guard: NameGuard | undefined
  /** The version of the package. */
  readonly version: string
  /** Whether the server has no routes that write. */
  readonly readOnly: boolean
  readonly listQueries: ListQueryCompiler
  /** How the lists of the platform read their parameters. */
  readonly lists: Lists
  /** The files of the fixtures; undefined if they are lists, or if the server keeps its items. */
  readonly reloader: FixtureReloader | undefined
}

/** The path parameters of a snapshot or a sandbox. */
export const NameParameters = Type.Object({
  name: Type.String({ pattern: NAME_PATTERN, expected: EXPECTED_NAME }),
})
export type NameParameters = Static<typeof NameParameters>

/**
 * A preValidation hook that parses the JSON of `query` and `projection`, so that the route's schema
 * validates the parsed objects. Other parameters stay as they are.
 */
export const parseQuery: preValidationHookHandler = (request, _reply, done) => {
  const { query, projection, ...others } = request.query as UrlParameters
  request.query = { ...others, ...parseListParameters({ query, projection }, 'documented') }
  done()
}

/** What a control takes, and what it responds with. */
type Details = Pick<OperationSchema, 'params' | 'querystring' | 'body'> & {
  readonly description: string
  /** One error of each code that only this control may respond with. */
  readonly errors?: readonly CatalogueError[]
  /** The success by its media types (default: JSON in the envelope). */
  readonly content?: ResponseObject['content']
}

/** Describes a control for the OpenAPI document. */
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

/** An example of each error that every control may respond with. */
const CONTROL_ERRORS = [
  new AdminForbidden(
    '/__admin must be requested by a loopback name, by --host or by a name of --allowed-hosts, not "evil.example"',
  ),
  new ParameterInvalid('"full" is not a parameter of GET /__admin/health, which has none'),
  new BodyInvalid('POST /__admin/reset takes no body'),
  new ContentTypeUnsupported('text/plain', 'application/json'),
]

/** The empty data of a control that only acts. */
export const Nothing = Type.Object({}, { additionalProperties: false, examples: [{}] })

/** A number of items or requests. */
export const Count = Type.Integer({ minimum: 0, examples: [74] })

/** The number of items of each resource, by its name. */
export const Sizes = Type.Record(Type.String(), Count, { examples: [{ materials: 74, jobs: 5 }] })

/** The path parameters of a control of one resource. */
export const ResourceParameters = Type.Object({
  resource: Type.String({ description: 'The name of a resource.', examples: ['projects'] }),
})

/** An example of the error of an unknown resource. */
export const NO_RESOURCE = new RouteNotFound(
  '/__admin/fixtures/nothing; the resources are jobs, materials',
)

/**
 * Returns the collection of the resource that the path of a control names.
 * @throws RouteNotFound for an unknown resource, and for `accounts`
 */
export function findCollection({ params, url, sandbox }: FastifyRequest): Collection {
  const { collections } = sandbox.store
  const collection = collections.get((params as { readonly resource: string }).resource)
  if (collection !== undefined) return collection
  const [path = ''] = url.split('?')
  throw new RouteNotFound(`${path}; the resources are ${[...collections.keys()].join(', ')}`)
}

/**
 * Returns the visibility filter of an account. Without an `accountId`, every item is visible.
 * @throws ParameterInvalid for an unknown account
 */
export function findVisibility(store: Store, accountId: string | undefined): VisibilityFilter {
  if (accountId === undefined) return () => true
  if (store.accounts.some(({ _id }) => _id === accountId)) return store.visibleTo(accountId)
  throw new ParameterInvalid(
    `accountId must be the _id of an account, as GET /__admin/accounts lists them, not ${quote(accountId)}`,
  )
}
