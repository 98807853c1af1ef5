import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Lets each route of GET take HEAD too: Node sends the headers without the body. Fastify would add a
 * second route for each, which makes a start 6 ms slower. Registered before all routes.
 */
async function headRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD']
  })
}

export default fp(headRoutes, { name: 'head-routes' })
