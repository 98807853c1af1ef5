import type { FastifyRequest } from 'fastify'

/** What follows a path: nothing, a path below it, or parameters. */
const ENDS: ReadonlySet<string | undefined> = new Set([undefined, '/', '?'])

/**
 * Returns a predicate: does a request target this path or one below it? The predicate uses the path
 * of the matched route, however the request wrote it (`/%61pi`, `http://localhost/api`), and the
 * request's own path if no route matched.
 */
export function pathMatcher(path: string): (request: FastifyRequest) => boolean {
  return ({ matchedRoute, url }) => {
    const target = matchedRoute.url ?? url
    return target.startsWith(path) && ENDS.has(target[path.length])
  }
}
