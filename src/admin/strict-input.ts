import type { TObject } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid, ParameterInvalid } from '../errors.js'
import { describeClosest } from '../json/describe-closest.js'
import { isJsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'

/**
 * Rejects URL parameters and bodies that the schema of the route does not have, so that no input is
 * silently ignored. A schema with `additionalProperties: true` accepts any parameter. An empty object
 * counts as no body.
 */
async function strictInput(app: FastifyInstance): Promise<void> {
  app.addHook(
    'preValidation',
    async ({ query, body, routeOptions, method, url }: FastifyRequest) => {
      const route = `${method} ${url.split('?')[0]}`
      const { querystring, body: bodySchema } = routeOptions.schema ?? {}
      const { properties = {}, additionalProperties: isOpen } = (querystring ??
        {}) as Partial<TObject>
      const known = Object.keys(properties)
      for (const name of Object.keys(query as object)) {
        if (isOpen !== true && !known.includes(name)) {
          throw new ParameterInvalid(
            `${quote(name)} is not a parameter of ${route}, which has ${known.join(', ') || 'none'}${describeClosest(name, known)}`,
          )
        }
      }
      if (bodySchema === undefined && !isEmpty(body))
        throw new BodyInvalid(`${route} takes no body`)
    },
  )
}

export default fp(strictInput, { name: 'strict-input' })

const isEmpty = (body: unknown): boolean =>
  body === undefined || (isJsonObject(body) && Object.keys(body).length === 0)
