import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { OptionsInvalid } from '../errors.js'
import { quote } from '../json/quote.js'
import { pathMatcher as isBelow } from './path-scope.js'

/** What the CORS plugin is registered with; more than once, for several paths. */
export interface CorsOptions {
  /** The path that it is for, with all that is below it: `/api`. */
  readonly under: string
  /** Whether pages of an origin are let in; left out, those of every origin are. */
  readonly allows?: ((origin: string) => boolean) | undefined
}

/** What a page may read of an answer, beyond what every page may. */
const EXPOSED = { 'access-control-expose-headers': 'Allow, Preference-Applied, Retry-After' }

/** What a preflight is told that a page may send. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Content-Type, Prefer, X-Account-Id, X-Auth-Token',
}

/**
 * Lets pages of other origins in (WHATWG Fetch, section 3.3: the CORS protocol). Registered at the
 * root and before auth, so that failures have the headers too, a 404 as well, and a preflight needs
 * no credentials; one of an unknown path is answered like any other, so that the page then sees the
 * 404 itself.
 */
async function cors(app: FastifyInstance, { under, allows }: CorsOptions): Promise<void> {
  const isUnder = isBelow(under)

  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnder(request)) return done()
    const { origin } = request.headers
    if (allows !== undefined) reply.header('vary', 'Origin')
    if (allows !== undefined && (origin === undefined || !allows(origin))) return done()
    reply
      .header('access-control-allow-origin', allows === undefined ? '*' : origin)
      .headers(EXPOSED)
    if (!isPreflight(request)) return done()
    reply.headers(PREFLIGHT).code(204).send()
  })
}

export default fp(cors, { name: 'cors' })

/**
 * The origins that `--cors-origin` names, as what `allows` takes; undefined is every origin.
 * @throws OptionsInvalid for one that no browser sends, such as one with a default port
 */
export function originsIn(list: string | undefined): CorsOptions['allows'] {
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

/** Whether a browser asks on behalf of a page whether it may send a request (section 3.3.2). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined
