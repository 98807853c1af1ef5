import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { OptionsInvalid } from '../errors.js'
import { quote } from '../json/quote.js'
import { pathMatcher } from './path-scope.js'

/** Returns whether an origin is allowed. */
export type OriginFilter = (origin: string) => boolean

/** The options of the CORS plugin. */
export interface CorsOptions {
  /**
   * The origins whose pages may send requests, by the path with all paths below, such as `/api`;
   * undefined for every origin.
   */
  readonly origins: Readonly<Record<string, OriginFilter | undefined>>
}

/** The response headers that a page may read, beyond those that the standard safelists. */
const EXPOSE_HEADERS = {
  'access-control-expose-headers': 'Allow, Preference-Applied, Retry-After',
}

/** The methods and request headers that the response to a preflight allows. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Prefer, X-Account-Id, X-Auth-Token, X-Mock-Sandbox',
}

/**
 * Allows pages of other origins to send requests (WHATWG Fetch, section 3.3: the CORS protocol).
 * Registered at the root and before auth, so that failures, and even a 404, have the headers too. A
 * preflight needs no credentials. That of an unknown path succeeds, so that the page sees the 404.
 */
async function cors(app: FastifyInstance, { origins }: CorsOptions): Promise<void> {
  const scopes = Object.entries(origins).map(([path, isAllowed]) => ({
    isInScope: pathMatcher(path),
    isAllowed,
  }))

  app.addHook('onRequest', (request, reply, done) => {
    const scope = scopes.find(({ isInScope }) => isInScope(request))
    if (scope === undefined) return done()
    const { isAllowed } = scope
    const { origin } = request.headers
    if (isAllowed !== undefined) reply.header('vary', 'Origin')
    if (isAllowed !== undefined && (origin === undefined || !isAllowed(origin))) return done()
    reply
      .header('access-control-allow-origin', isAllowed === undefined ? '*' : origin)
      .headers(EXPOSE_HEADERS)
    if (!isPreflight(request)) return done()
    reply.headers(PREFLIGHT_HEADERS).code(204).send()
  })
}

export default fp(cors, { name: 'cors' })

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
        `corsOrigin must be of origins as browsers send them, such as "http://localhost:3000", not ${quote(origin)}`,
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
