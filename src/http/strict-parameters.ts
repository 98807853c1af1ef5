import type { FastifyRequest } from 'fastify'

import { describeClosest, quote, toObject } from '@materials-mock/json'
import { ParameterInvalid } from '../errors.js'
import { CACHE_BUSTER, parametersOf } from './list/parameters.js'

/**
 * A misspelt parameter is not ignored, unless the schema allows any.
 * @throws ParameterInvalid
 */
export function refuseUnknownParameters(request: FastifyRequest): void {
  const { querystring } = request.resourceRoute?.schema ?? request.routeOptions.schema ?? {}
  const { properties, additionalProperties: isOpen } = toObject(querystring)
  const known = Object.keys(toObject(properties))
  const unknown = Object.keys(parametersOf(request)).find(
    (name) => isOpen !== true && name !== CACHE_BUSTER && !known.includes(name),
  )
  if (unknown === undefined) return
  throw new ParameterInvalid(
    `${quote(unknown)} is not a parameter of ${describeRoute(request)}, which has ${known.join(', ') || 'none'}${describeClosest(unknown, known)}`,
  )
}

export const describeRoute = ({ method, url }: FastifyRequest): string =>
  `${method} ${url.split('?')[0]}`
