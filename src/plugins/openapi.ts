import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { DocumentedRoute } from '../openapi/document.js'
import { responses } from '../openapi/responses.js'
import { OpenApi } from '../schemas/openapi-document.js'
import type { OperationSchema } from '../openapi/operation-schema.js'
import type { Store } from '../store/store.js'
import { JSON_TYPE } from './jsend.js'

declare module 'fastify' {
  // What a route may say of itself beyond what Fastify judges by.
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

/** What the OpenAPI plugin is registered with. */
export interface OpenApiOptions {
  readonly store: Store
}

/**
 * Serves the OpenAPI document of the scope that registers it, before all its routes, as
 * `/swagger.json`. It is made when it is asked for, of the routes that were taken down.
 */
async function openapi(app: FastifyInstance, { store }: OpenApiOptions): Promise<void> {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide === true) return
    const methods = [method].flat().filter((each) => each !== 'HEAD')
    if (schema?.operationId === undefined)
      throw new Error(`${method} ${url} has no operationId: each route says what it is`)
    const path = url.slice(app.prefix.length).replace(/\/$/, '')
    if (methods.length > 0) routes.push({ path, methods, schema: schema as OperationSchema })
  })

  app.get('/swagger.json', { schema: DOCUMENT_SCHEMA }, async ({ protocol, host }, reply) => {
    const { documentOf } = await import('../openapi/document.js')
    const document = documentOf(routes, `${protocol}://${host}${app.prefix}`, store)
    return reply.type(JSON_TYPE).send(JSON.stringify(document))
  })
}

export default fp(openapi, { name: 'openapi' })

const DOCUMENT_SCHEMA = {
  operationId: 'swagger-json',
  tags: ['contract'],
  summary: 'Get the OpenAPI document',
  description: 'This very document, of all that is served.',
  security: [],
  responses: () => responses(OpenApi, []),
} satisfies OperationSchema
