import type { FastifyInstance } from 'fastify'

import { JSON_TYPE } from '../http/envelope.js'
import { toBaseUrl } from '../http/request-target.js'
import { OPERATIONS } from './operations.js'

/** `GET /openapi.json`: the OpenAPI document of the controls. */
export async function documentRoute(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: OPERATIONS.document }, async (request, reply) => {
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
