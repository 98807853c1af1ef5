import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import findMyWay from 'find-my-way'

import { MethodNotAllowed, RouteNotFound } from '../errors.js'

/**
 * Answers what no route does: 405 with `Allow` (RFC 9110, section 15.5.6) where the path has other
 * methods, else 404. OPTIONS is answered with `Allow` alone (section 9.3.7). A body is not read, so that
 * none that is wrong is told of first. Registered before all routes, whose paths it takes down.
 */
async function notFound(app: FastifyInstance): Promise<void> {
  const methodsOf = new Map<string, Set<string>>()
  let paths: PathRouter | undefined

  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsOf.set(url, methods)
  })

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const [path = ''] = (request.raw.url ?? '').split('?')
    paths ??= routerOf(methodsOf)
    const methods = paths.find('GET', path)?.store as Set<string> | undefined
    if (methods === undefined) return done(new RouteNotFound(path))
    const allow = [...methods].toSorted().join(', ')
    reply.header('allow', allow)
    if (request.method === 'OPTIONS') reply.code(204).send()
    else done(new MethodNotAllowed(request.method, path, allow))
  })
}

export default fp(notFound, { name: 'not-found' })

/** The longest path parameter; no request line gets as far, so that a long id is just not there. */
export const MAX_PARAM_LENGTH = 1_000_000

type PathRouter = ReturnType<typeof findMyWay>

/** Finds the methods of a path by the path alone. */
function routerOf(methodsOf: ReadonlyMap<string, ReadonlySet<string>>): PathRouter {
  const paths = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH })
  for (const [url, methods] of methodsOf)
    if (url !== '*') paths.on('GET', url, () => undefined, methods)
  return paths
}
