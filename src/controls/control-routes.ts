import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { isJsonObject } from '@materials-mock/json'
import { BodyInvalid } from '../errors.js'
import { describeRoute, refuseUnknownParameters } from '../http/strict-parameters.js'
import { registerControl } from './control.js'
import type { ControlOptions, Operation } from './control.js'
import { documentRoute } from './document.js'
import { eventRoute } from './events/event-routes.js'
import { fixtureRoutes, seedOperation } from './fixtures/fixture-routes.js'
import { harRoute } from './journal/har.js'
import { requestTestRoute } from './journal/request-test.js'
import { mcpRoute } from './mcp/mcp-route.js'

declare module 'fastify' {
  interface FastifyInstance {
    readonly operations: ReadonlyMap<string, Operation>
  }
}

/** Decorates the server with the operations of a mock by their requests, such as `POST /reset`. */
export const operationTable = fp(
  async (app: FastifyInstance, { operations }: { operations: readonly Operation[] }) => {
    app.decorate('operations', new Map(operations.map((each) => [each.request, each])))
  },
  { name: 'operations' },
)

/** Rejects parameters and bodies that the schema lacks. An empty object counts as no body. */
async function refuseIgnored(app: FastifyInstance): Promise<void> {
  app.addHook('preValidation', async (request) => {
    refuseUnknownParameters(request)
    if (request.routeOptions.schema?.body === undefined && !isEmpty(request.body))
      throw new BodyInvalid(`${describeRoute(request)} takes no body`)
  })
}

const strictInput = fp(refuseIgnored, { name: 'strict-input' })

const isEmpty = (body: unknown): boolean =>
  body === undefined || (isJsonObject(body) && Object.keys(body).length === 0)

/**
 * The routes under `/__admin`, which serve requests from this computer without credentials: the operations of a
 * mock, and what is no operation, because it is a stream, a file or a protocol of its own.
 */
export async function controlRoutes(
  app: FastifyInstance,
  { version, listQueries }: ControlOptions,
): Promise<void> {
  app.register(strictInput)
  app.register(async (scope) => {
    for (const operation of app.operations.values())
      if (operation !== seedOperation) registerControl(scope, operation)
  })
  app.register(fixtureRoutes)
  app.register(eventRoute)
  app.register(documentRoute)
  app.register(mcpRoute, { version, listQueries })
  app.register(harRoute, { listQueries, version })
  app.register(requestTestRoute, { listQueries })
}
