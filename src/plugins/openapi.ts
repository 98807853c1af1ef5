import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { DocumentedRoute } from '../openapi/document.js'
import type { OperationSchema } from '../openapi/operation-schema.js'
import { responses } from '../openapi/responses.js'
import { OpenApi } from '../schemas/openapi-document.js'
import type { Store } from '../store/store.js'
import { JSON_TYPE } from './jsend.js'

declare module 'fastify' {
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

/** The options of the OpenAPI plugin. */
export interface OpenApiOptions {
  readonly store: Store
}

/**
 * Serves the OpenAPI document of the scope that registers it at `/swagger.json`. Registered before
 * the scope's routes, which it collects. Each request creates the document anew, because its
 * examples are current items.
 */
async function openapi(app: FastifyInstance, { store }: OpenApiOptions): Promise<void> {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide === true) return
    const methods = [method].flat().filter((each) => each !== 'HEAD')
    if (schema?.operationId === undefined)
      throw new Error(`${method} ${url} must have an operationId in its schema`)
    const path = url.slice(app.prefix.length).replace(/\/$/, '')
    if (methods.length > 0) routes.push({ path, methods, schema: schema as OperationSchema })
  })

  app.get('/swagger.json', { schema: DOCUMENT_OPERATION }, async ({ protocol, host }, reply) => {
    const { createDocument } = await import('../openapi/document.js')
    const document = createDocument(routes, `${protocol}://${host}${app.prefix}`, store)
    return reply.type(JSON_TYPE).send(JSON.stringify(document))
  })
}

export default fp(openapi, { name: 'openapi' })

const DOCUMENT_OPERATION = {
  operationId: 'swagger-json',
  tags: ['contract'],
  summary: 'Get the OpenAPI document',
  description: 'This document. It describes every operation that this server has.',
  security: [],
  responses: () => responses(OpenApi, []),
} satisfies OperationSchema
