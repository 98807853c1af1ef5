import type { FastifyReply, FastifyRequest } from 'fastify'

import { quote } from '@materials-mock/json'
import { OptionsInvalid } from '../errors.js'
import type { NameGuard } from './name-guard.js'
import { isWithin } from './request-target.js'

/** Returns whether an origin is allowed. */
export type OriginFilter = (origin: string) => boolean

/** The response headers that a page may read, beyond the safelisted headers of the standard. */
const EXPOSE_HEADERS = 'Allow, Preference-Applied, Retry-After, X-Total-Count'

/** The methods that the response to a preflight allows. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/**
 * Returns a function that allows pages of other origins to send requests (WHATWG Fetch, section 3.3:
 * the CORS protocol). It answers a preflight, and returns whether it has done so. A preflight needs no
 * credentials, and allows whatever request headers it asks for: tracing and HTTP libraries add their own. A
 * preflight of an unknown path succeeds, so that the page sees the 404. Requests with `credentials: 'include'` are
 * allowed, which lets nobody in: the mock reads no cookie, and a deployment behind it gets them of allowed pages alone.
 * @param isAllowed the origins whose pages may use the API; undefined for every origin
 * @param guard decides which pages may use the controls; undefined for all
 */
export function createCors(
  isAllowed: OriginFilter | undefined,
  guard: NameGuard | undefined,
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const scopes: readonly [path: string, isAllowed: OriginFilter | undefined][] = [
    ['/api', isAllowed],
    ['/storage', isAllowed],
    ['/__admin', guard?.allowsOrigin],
    ['/oidc', guard?.allowsOrigin],
  ]
  return (request, reply) => {
    const { url } = request
    const scope = scopes.find(([path]) => isWithin(url, path))
    if (scope === undefined) return false
    reply.header('vary', 'Origin')
    const [, filter] = scope
    const { origin } = request.headers
    if (origin === undefined || filter?.(origin) === false) return false
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
}

/**
 * Parses the value of `--cors-origin` into a filter, or undefined for every origin.
 * @throws OptionsInvalid for an origin that no browser sends, such as one with a default port
 */
export function parseAllowedOrigins(list: string | undefined): OriginFilter | undefined {
  if (list === undefined) return undefined
  const origins = new Set(list.split(','))
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new OptionsInvalid(
        `corsOrigin must have origins as browsers send them, such as "http://localhost:3000", not ${quote(origin)}`,
      )
    }
  }
  return (origin) => origins.has(origin)
}

/** Whether a request is a CORS preflight (WHATWG Fetch, section 3.3.2). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined
