import type { FastifyInstance } from 'fastify'

import { JSON_TYPE } from '../http/envelope.js'
import { toBaseUrl } from '../http/request-scope.js'
import { OpenApi } from '../http/openapi/responses.js'
import { operation, withSuccess } from './control.js'

const DOCUMENT = withSuccess(
  operation('openapi', 'Get the OpenAPI document of the controls', OpenApi, {
    description: 'This document. It describes every control.',
  }),
  () => ({ description: 'Success', content: { 'application/json': { schema: OpenApi } } }),
)

/** `GET /openapi.json`: the OpenAPI document of the controls. */
export async function documentRoute(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: DOCUMENT }, async (request, reply) => {
    const { createDocument } = await import('../http/openapi/document.js')
    const { CONTROLS_FRAME } = await import('../http/openapi/document-frames.js')
    const routes = app.documentedRoutes.filter(({ path }) => path.startsWith('/__admin/'))
    const server = { origin: toBaseUrl(request), basePath: '/__admin' }
    const text = await reply.runStep(() =>
      JSON.stringify(createDocument(routes, server, CONTROLS_FRAME, request.sandbox.store)),
    )
    return reply.type(JSON_TYPE).send(text)
  })
}
