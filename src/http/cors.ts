import type { FastifyReply, FastifyRequest } from 'fastify'

import { OptionsInvalid } from '../errors.js'
import { quote } from '../json/quote.js'
import { isLoopbackOrigin } from './loopback-guard.js'
import { isWithin } from './request-target.js'

/** Returns whether an origin is allowed. */
export type OriginFilter = (origin: string) => boolean

/** The response headers that a page may read, beyond the safelisted headers of the standard. */
const EXPOSE_HEADERS = 'Allow, Preference-Applied, Retry-After, X-Total-Count'

/** The methods and request headers that the response to a preflight allows. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Prefer, X-Account-Id, X-Auth-Token, X-Mock-Sandbox',
}

/**
 * Returns a function that allows pages of other origins to send requests (WHATWG Fetch, section 3.3:
 * the CORS protocol). It answers a preflight, and returns whether it has done so. A preflight needs no
 * credentials. A preflight of an unknown path succeeds, so that the page sees the 404.
 * @param isAllowed the origins whose pages may use the API; undefined for every origin. Only pages of
 * this computer may use the controls
 */
export function createCors(
  isAllowed: OriginFilter | undefined,
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const scopes: readonly [path: string, isAllowed: OriginFilter | undefined][] = [
    ['/api', isAllowed],
    ['/storage', isAllowed],
    ['/__admin', isLoopbackOrigin],
    ['/oidc', isLoopbackOrigin],
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
      .header('access-control-allow-origin', filter === undefined ? '*' : origin)
      .header('access-control-expose-headers', EXPOSE_HEADERS)
    if (!isPreflight(request)) return false
    reply.headers(PREFLIGHT_HEADERS).code(204).send()
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
