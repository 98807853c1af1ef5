import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** The options of the route; `url` is undefined if no route matched. */
    matchedRoute: FastifyRequest['routeOptions']
  }
}

/**
 * Decorates requests with the options of their route, which Fastify creates anew each time they are
 * read. Registered before all other hooks.
 */
async function matchedRoute(app: FastifyInstance): Promise<void> {
  app.decorateRequest('matchedRoute', null as never)
  app.addHook('onRequest', (request, _reply, done) => {
    request.matchedRoute = request.routeOptions
    done()
  })
}

export default fp(matchedRoute, { name: 'matched-route' })
