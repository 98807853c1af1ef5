import type { FastifyReply, FastifyRequest } from 'fastify'

import { isWithin } from './request-target.js'

const EXPOSE_HEADERS =
  'Allow, Preference-Applied, Retry-After, X-Mock-Completed, X-Mock-Lists, X-Total-Count'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

const SCOPES = ['/api', '/storage', '/__admin', '/oidc']

/**
 * Lets a page of another origin read the response (WHATWG Fetch, section 3.3), once `Callers` has
 * admitted its request.
 * @returns whether it has answered a preflight, which allows all headers and every path, so that
 * the page sees the 404. `credentials: 'include'` lets nobody in: no cookie is read.
 */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  const { url } = request
  if (!SCOPES.some((path) => isWithin(url, path))) return false
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined) return false
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', EXPOSE_HEADERS)
  if (!isPreflight(request)) return false
  const requested = request.headers['access-control-request-headers']
  if (requested !== undefined) reply.header('access-control-allow-headers', requested)
  reply.header('access-control-allow-methods', METHODS).code(204).send()
  return true
}

/** Whether a request is a CORS preflight (WHATWG Fetch, section 3.3.2). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined
