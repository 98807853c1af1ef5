import type { FastifyInstance } from 'fastify'

import { ABOUT, createDocument } from '../http/openapi/document.js'
import type { DocumentFrame } from '../http/openapi/document.js'
import { OpenApi } from '../http/openapi/responses.js'
import { toBaseUrl } from '../http/request-scope.js'
import { sendDocument } from '../http/send-tagged.js'
import { operation } from './control.js'

const DOCUMENT = operation('openapi', 'Get the OpenAPI document of the controls', OpenApi, {
  description: 'This document. It describes every control.',
  content: { 'application/json': { schema: OpenApi } },
})

/** `GET /openapi.json`: the OpenAPI document of the controls. */
export async function documentRoute(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: DOCUMENT }, async (request, reply) => {
    const routes = app.documentedRoutes.filter(({ path }) => path.startsWith('/__admin/'))
    const server = { origin: toBaseUrl(request), basePath: '/__admin' }
    const work = createDocument(routes, server, CONTROLS_FRAME, request.sandbox.store)
    return sendDocument(request, reply, work)
  })
}

/** The parts of the document that do not follow from the routes. */
const CONTROLS_FRAME: DocumentFrame = {
  info: {
    title: 'The controls of materials-mock',
    version: '1',
    summary: 'Features that only a mock has: reset, snapshots, faults, journal',
    description: [
      'The controls need no login. They answer only requests from this computer.',
      'Every response is in the envelope of the API, except events and JSON Lines.',
    ].join(' '),
    ...ABOUT,
  },
  security: [],
}
