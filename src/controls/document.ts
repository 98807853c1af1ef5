import type { FastifyInstance } from 'fastify'

import { completeExample } from '../fixtures/seed/complete-example.js'
import frames from '../http/openapi/frames.json' with { type: 'json' }
import { createDocument } from '../http/openapi/document.js'
import { OpenApi } from '../http/openapi/responses.js'
import { sendDocument } from '../http/openapi/send-document.js'
import { toBaseUrl } from '../http/base-url.js'
import { operation } from './control.js'

const DOCUMENT = operation('openapi', 'Get the OpenAPI document of the controls', OpenApi, {
  description: 'This document. It describes every control.',
  content: { 'application/json': { schema: OpenApi } },
})

export async function documentRoute(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: DOCUMENT }, async (request, reply) => {
    const routes = app.documentedRoutes.filter(({ path }) => path.startsWith('/__admin/'))
    const server = { origin: toBaseUrl(request), basePath: '/__admin' }
    const work = createDocument(routes, server, frames.controls, {
      store: request.sandbox.store,
      complete: completeExample,
    })
    return sendDocument(request, reply, work)
  })
}
