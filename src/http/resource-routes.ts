import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'

import { getItemSchema } from '@materials-mock/api'
import { compileValidator, decodePart, groupBy } from '@materials-mock/json'
import type { HttpPart, Validator } from '@materials-mock/json'
import type { ListQuery } from '@materials-mock/query'
import { ItemNotFound } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { Success } from './envelope-schema.js'
import type { UrlParameters } from './list/parameters.js'
import type { Store } from '../store/store.js'
import { AUTH_ERRORS, JSON_BODY_ERRORS, responses } from './openapi/responses.js'
import type { OperationSchema, ResponseObject } from './openapi/responses.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operations of one path and method, of which a resource has at most one. */
    readonly operations?: readonly ResourceOperation[]
  }
}

type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'

/** An operation such as `PATCH /{resource}/{id}`, registered once: resources may come and go. */
export interface ResourceOperation<Route extends RouteGenericInterface = RouteGenericInterface> {
  readonly method: Method
  /** The path below the resource: `/:id/copy`, or `/` for the resource itself. */
  readonly path: string
  /** The end of the operation's id, after the resource (default: the last segment of the path). */
  readonly action?: string
  /** Returns the rest of the operation for a resource, with the schemas that validate its requests. */
  readonly describe: (resource: string) => OperationDescription
  /** The resources that have the path (default: all). */
  readonly only?: readonly string[]
  /** Whether the response is 405, although the resource has the path (default: no). */
  readonly isRefused?: (resource: string) => boolean
  /** Whether it is there without a collection of items. */
  readonly needsNoItems?: boolean
  /** Whether it returns the item that the parameter `id` names. */
  readonly returnsItem?: boolean
  /** Reads the parameters of a list, for an operation that returns its items. */
  readonly readList?: (resource: string, parameters: UrlParameters) => ListQuery
  /** Checks or parses the parameters before they are validated. */
  prepare?(request: FastifyRequest<Route>): void
  handle(request: FastifyRequest<Route>, reply: FastifyReply): unknown
}

/** What does not follow from the method, the path and the resource of an operation. */
export interface OperationDescription extends Pick<
  OperationSchema,
  'summary' | 'description' | 'querystring' | 'body'
> {
  /** Returns the schema of the response's `data` (default: that of an item of the resource). */
  readonly data?: () => TSchema
  readonly headers?: ResponseObject['headers']
  /** An example of each error, but those of all requests, of all JSON bodies, and of an unknown item. */
  readonly errors?: readonly CatalogueError[]
}

export interface CollectionRoute {
  readonly Params: { readonly resource: string }
}

export interface ItemRoute {
  readonly Params: { readonly resource: string; readonly id: string }
}

const ItemParams = Type.Object({ id: Type.String({ description: "The item's _id" }) })

export class ResourceRoute {
  /** The template of the path: `/api/2018-10-01/materials/:id`. */
  readonly path: string
  readonly isRefused: boolean
  /** Reads the parameters of a list; undefined if it is none. */
  readonly readList: ((parameters: UrlParameters) => ListQuery) | undefined
  #schema: OperationSchema | undefined
  readonly #validators = new Map<HttpPart, Validator | undefined>()

  constructor(
    basePath: string,
    readonly resource: string,
    readonly operation: ResourceOperation,
  ) {
    this.path = `${basePath}/${resource}${operation.path === '/' ? '' : operation.path}`
    const { isRefused, readList } = operation
    this.isRefused = isRefused?.(resource) === true
    this.readList = readList && ((parameters) => readList(resource, parameters))
  }

  /** What the document says of the operation. Its schemas validate the requests. */
  get schema(): OperationSchema {
    return (this.#schema ??= this.#describe(this.operation))
  }

  #describe({
    method,
    path,
    action = path.split('/').at(-1),
    describe,
  }: ResourceOperation): OperationSchema {
    const { resource } = this
    const {
      data = () => getItemSchema(resource),
      headers,
      errors = [],
      ...rest
    } = describe(resource)
    const isOfItem = path.startsWith('/:id')
    return {
      operationId: `${resource}-${action}`,
      tags: [resource],
      ...(isOfItem && { params: ItemParams }),
      ...rest,
      responses: () =>
        responses(
          Success(data()),
          [
            ...AUTH_ERRORS,
            ...(method === 'GET' ? [] : JSON_BODY_ERRORS),
            ...errors,
            ...(isOfItem ? [new ItemNotFound(resource, 'nothing')] : []),
          ],
          headers,
        ),
    }
  }

  /** @throws BodyInvalid, ProjectionInvalid, ParameterInvalid */
  validate({ body, query }: FastifyRequest): void {
    this.#validate('body', this.schema.body, body)
    this.#validate('querystring', this.schema.querystring, query)
  }

  #validate(part: HttpPart, schema: OperationSchema['body'], value: unknown = null): void {
    if (schema === undefined) return
    let validator = this.#validators.get(part)
    if (validator === undefined)
      this.#validators.set(part, (validator = compileValidator(schema, part)))
    const error = validator(value)
    if (error !== undefined) throw error
  }
}

/** The operations of all resources of one version of the API. */
export class ResourceRoutes {
  readonly basePath: string
  readonly #operations: readonly ResourceOperation[]
  readonly #routes = new Map<ResourceOperation, Map<string, ResourceRoute>>()

  /** @param operations in their order in the document */
  constructor(basePath: string, operations: readonly ResourceOperation[]) {
    this.basePath = basePath
    this.#operations = operations
  }

  register(app: FastifyInstance): void {
    const groups = groupBy(this.#operations, ({ method, path }) => `${method} ${path}`)
    for (const operations of groups.values()) {
      const [{ method, path }] = operations as [ResourceOperation]
      app.route({
        method,
        url: `/:resource${path}`,
        schema: { hide: true },
        config: { operations },
        handler: handle,
      })
    }
  }

  assign(request: FastifyRequest): void {
    const { operations } = request.routeConfig
    if (operations !== undefined) request.resourceRoute = this.#findServed(operations, request)
    request.isUnrouted =
      request.is404 || (operations !== undefined && request.resourceRoute === undefined)
  }

  #findServed(
    operations: readonly ResourceOperation[],
    { params, store }: FastifyRequest,
  ): ResourceRoute | undefined {
    const { resource } = params as CollectionRoute['Params']
    for (const operation of operations) {
      const route = this.#findRoute(operation, resource, store)
      if (route?.isRefused === false) return route
    }
    return undefined
  }

  /** Returns the methods of a path; none if it is not the path of a resource. */
  findMethods(path: string, store: Store): readonly string[] {
    if (!path.startsWith(`${this.basePath}/`)) return []
    const [resource = '', ...rest] = splitPath(path.slice(this.basePath.length))
    const matching = this.#operations
      .filter((operation) => matchesPath(splitPath(operation.path), rest))
      .flatMap((operation) => this.#findRoute(operation, resource, store) ?? [])
    // As in the router, a path without a parameter stands before a path with one.
    const exact = matching.filter(({ operation }) => !operation.path.includes(':'))
    const routes = exact.length > 0 ? exact : matching
    const methods = routes
      .filter(({ isRefused }) => !isRefused)
      .map(({ operation }) => operation.method)
    const isReadable = methods.includes('GET') || (routes.length > 0 && methods.length === 0)
    return isReadable ? ['GET', 'HEAD', ...methods] : methods
  }

  *list(store: Store): Generator<ResourceRoute> {
    const withoutItems = this.#operations.filter(({ needsNoItems }) => needsNoItems)
    const names = withoutItems.flatMap(({ only = [] }) => only)
    for (const resource of new Set([...names, ...store.collections.keys()])) {
      for (const operation of this.#operations) {
        const route = this.#findRoute(operation, resource, store)
        if (route !== undefined) yield route
      }
    }
  }

  /** Returns the operation of a resource; undefined if the resource does not have its path. */
  #findRoute(
    operation: ResourceOperation,
    resource: string,
    { collections }: Store,
  ): ResourceRoute | undefined {
    if (operation.only?.includes(resource) === false) return undefined
    if (operation.needsNoItems !== true && !collections.has(resource)) return undefined
    let routes = this.#routes.get(operation)
    if (routes === undefined) this.#routes.set(operation, (routes = new Map()))
    let route = routes.get(resource)
    if (route === undefined)
      routes.set(resource, (route = new ResourceRoute(this.basePath, resource, operation)))
    return route
  }
}

function handle(request: FastifyRequest, reply: FastifyReply): unknown {
  const route = request.resourceRoute!
  route.operation.prepare?.(request)
  route.validate(request)
  return route.operation.handle(request, reply)
}

const splitPath = (path: string): string[] => path.split('/').filter(Boolean).map(decodePart)

/** Whether the segments of a path are those of a template, which may have parameters. */
const matchesPath = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((each, index) => each.startsWith(':') || each === segments[index])
