import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid } from '../errors.js'
import { describeRoute, refuseUnknownParameters } from '../http/strict-parameters.js'
import { isJsonObject } from '../json/json.js'

/**
 * Rejects URL parameters and bodies that the schema of the route does not have, so that no input is
 * silently ignored. An empty object counts as no body.
 */
async function strictInput(app: FastifyInstance): Promise<void> {
  app.addHook('preValidation', async (request) => {
    refuseUnknownParameters(request)
    if (request.routeOptions.schema?.body === undefined && !isEmpty(request.body))
      throw new BodyInvalid(`${describeRoute(request)} takes no body`)
  })
}

export default fp(strictInput, { name: 'strict-input' })

const isEmpty = (body: unknown): boolean =>
  body === undefined || (isJsonObject(body) && Object.keys(body).length === 0)
