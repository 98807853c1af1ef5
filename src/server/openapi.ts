import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { completeExample } from '../fixtures/seed/complete-example.js'
import frames from '../http/openapi/frames.json' with { type: 'json' }
import { createDocument } from '../http/openapi/document.js'
import type { DocumentedRoute } from '../http/openapi/document.js'
import { createCollection } from '../http/openapi/postman.js'
import { responses, Collection, OpenApi } from '../http/openapi/responses.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { sendDocument } from '../http/openapi/send-document.js'
import { toBaseUrl } from '../http/base-url.js'
import type { ResourceRoutes } from '../http/resource-routes.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The documented routes that have been registered so far. */
    readonly documentedRoutes: readonly DocumentedRoute[]
  }
  // The parts of a route's schema that only the document uses.
  interface FastifySchema extends Partial<
    Pick<
      OperationSchema,
      'operationId' | 'tags' | 'summary' | 'description' | 'security' | 'consumes' | 'responses'
    >
  > {
    /** Whether the document leaves the route out. */
    readonly hide?: boolean
  }
}

export interface OpenApiOptions {
  readonly basePath: string
  readonly resourceRoutes: ResourceRoutes
}

/** The paths of the API, of sign-in and of the controls. The pages are in no document. */
const DOCUMENTED_PATH = /^\/(?:api|oidc|__admin)\//
const PLATFORM_PATH = /^\/(?:api|oidc)\//

/**
 * Serves the OpenAPI document at `swagger.json` below the base path. Register it before all routes: it
 * collects them. Each request creates the document anew, because its examples are current items.
 */
async function openapi(
  app: FastifyInstance,
  { basePath, resourceRoutes }: OpenApiOptions,
): Promise<void> {
  const routes: DocumentedRoute[] = []
  app.decorate('documentedRoutes', routes)
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide === true || !DOCUMENTED_PATH.test(url)) return
    const methods = [method].flat().filter((each) => each !== 'HEAD')
    if (schema?.operationId === undefined)
      throw new Error(`${method} ${url} must have an operationId in its schema`)
    const path = url.replace(/\/$/, '')
    if (methods.length > 0) routes.push({ path, methods, schema: schema as OperationSchema })
  })

  app.get(`${basePath}/swagger.json`, { schema: DOCUMENT_OPERATION }, async (request, reply) =>
    sendDocument(request, reply, describeApi(request)),
  )

  app.get(`${basePath}/postman.json`, { schema: COLLECTION_OPERATION }, async (request, reply) => {
    const [account] = request.store.accounts
    const context = {
      origin: toBaseUrl(request),
      basePath,
      accountId: account?._id ?? '',
      token: account?.tokens?.[0] ?? '',
    }
    return sendDocument(request, reply, createCollection(describeApi(request), context))
  })

  /** Documents the routes of the version with the operations of its resources, then those of others. */
  function describeApi(request: FastifyRequest): ReturnType<typeof createDocument> {
    const { store } = request
    const own = routes.filter(({ path }) => path.startsWith(`${basePath}/`))
    const others = routes.filter((route) => PLATFORM_PATH.test(route.path) && !own.includes(route))
    const ofResources = [...resourceRoutes.list(store)]
      .filter(({ isRefused }) => !isRefused)
      .map(({ path, schema, operation }) => ({ path, schema, methods: [operation.method] }))
    const server = { origin: toBaseUrl(request), basePath }
    return createDocument([...own, ...ofResources, ...others], server, frames.api, {
      store,
      complete: completeExample,
    })
  }
}

export default fp(openapi, { name: 'openapi', dependencies: ['run-work'] })

const DOCUMENT_OPERATION = {
  operationId: 'swagger-json',
  tags: ['contract'],
  summary: 'Get the OpenAPI document',
  description: 'This document. It describes every operation that this server has.',
  security: [],
  responses: () => responses(OpenApi, []),
} satisfies OperationSchema

const COLLECTION_OPERATION = {
  operationId: 'postman-json',
  tags: ['contract'],
  summary: 'Get a collection for Postman',
  description:
    'All operations as a Postman collection (v2.1), which Bruno, Insomnia and newman read, too. It can be run from top to bottom.',
  security: [],
  responses: () => responses(Collection, []),
} satisfies OperationSchema
