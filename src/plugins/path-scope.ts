import type { FastifyRequest } from 'fastify'

/**
 * Returns a predicate: does a request target this path or one below it? The predicate uses the path
 * of the matched route, however the request wrote it (`/%61pi`, `http://localhost/api`), and the
 * request's own path if no route matched.
 */
export function pathMatcher(path: string): (request: FastifyRequest) => boolean {
  const pattern = new RegExp(`^${path}(?=[/?]|$)`)
  return ({ routeOptions, url }) => pattern.test(routeOptions.url ?? url)
}
