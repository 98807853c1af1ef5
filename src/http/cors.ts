import type { FastifyReply, FastifyRequest } from 'fastify'

import { isWithin } from './request-target.js'

/** The response headers that a page may read, beyond the safelisted headers of the standard. */
const EXPOSE_HEADERS = 'Allow, Preference-Applied, Retry-After, X-Mock-Completed, X-Total-Count'

/** The methods that the response to a preflight allows. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** The paths that pages of other origins may read. */
const SCOPES = ['/api', '/storage', '/__admin', '/oidc']

/**
 * Lets the page of another origin read the response (WHATWG Fetch, section 3.3: the CORS protocol), once `Callers`
 * has admitted its request. It answers a preflight, and returns whether it has done so. A preflight needs no
 * credentials, and allows whatever request headers it asks for: tracing and HTTP libraries add their own. A
 * preflight of an unknown path succeeds, so that the page sees the 404. Requests with `credentials: 'include'` are
 * allowed, which lets nobody in: the mock reads no cookie, and a deployment behind it gets them of admitted pages alone.
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
