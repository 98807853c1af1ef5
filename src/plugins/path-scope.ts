import type { FastifyRequest } from 'fastify'

/**
 * Makes what tells whether a request is for a path, or for what is below it. The route that answers
 * it says so, however the path was written (`/%61pi`, `http://localhost/api`); where there is none,
 * the path itself.
 */
export function pathMatcher(path: string): (request: FastifyRequest) => boolean {
  const pattern = new RegExp(`^${path}(?=[/?]|$)`)
  return ({ routeOptions, url }) => pattern.test(routeOptions.url ?? url)
}
