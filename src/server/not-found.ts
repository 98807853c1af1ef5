import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import findMyWay from 'find-my-way'

import { MethodNotAllowed, RouteNotFound } from '../errors.js'
import type { PassOn } from './upstream/pass-on.js'

/** The options of the not-found plugin. */
export interface NotFoundOptions {
  /** Answers what has no route, but for the controls (default: 404). */
  readonly passOn?: PassOn | undefined
}

/** The longest path parameter. No request line is as long, so a long id gets an ordinary 404. */
export const MAX_PARAM_LENGTH = 1_000_000

/**
 * Responds to requests without a route: with 405 and `Allow` (RFC 9110, section 15.5.6) if the path
 * has other methods, else with 404. OPTIONS gets 204 and `Allow` (section 9.3.7). The body is not
 * read, so that it causes no other error first. Registered before all routes, which it collects.
 */
async function notFound(app: FastifyInstance, { passOn }: NotFoundOptions): Promise<void> {
  const methodsByPath = new Map<string, Set<string>>()
  let router: PathRouter | undefined

  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = methodsByPath.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsByPath.set(url, methods)
  })

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const [path = ''] = (request.raw.url ?? '').split('?')
    router ??= createPathRouter(methodsByPath)
    const methods = router.find('GET', path)?.store as Set<string> | undefined
    if (methods === undefined) {
      if (passOn?.(request, reply) === true) return
      return done(new RouteNotFound(path + describeDocuments(path, methodsByPath)))
    }
    const allow = [...methods].toSorted().join(', ')
    reply.header('allow', allow)
    if (request.method === 'OPTIONS') reply.code(204).send()
    else done(new MethodNotAllowed(request.method, path, allow))
  })
}

export default fp(notFound, { name: 'not-found' })

/** Says which OpenAPI documents list the paths: that of the path's own part of the server, or all. */
function describeDocuments(path: string, methodsByPath: ReadonlyMap<string, unknown>): string {
  const all = [...methodsByPath.keys()].filter((url) => /\/(?:swagger|openapi)\.json$/.test(url))
  const own = all.find((url) => `${path}/`.startsWith(url.slice(0, url.lastIndexOf('/') + 1)))
  const documents = own === undefined ? all : [own]
  if (documents.length === 0) return ''
  return `; ${documents.join(' and ')} ${documents.length === 1 ? 'lists' : 'list'} all paths`
}

type PathRouter = ReturnType<typeof findMyWay>

/** Creates a router that finds the methods of a path, whatever the request's method is. */
function createPathRouter(methodsByPath: ReadonlyMap<string, ReadonlySet<string>>): PathRouter {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH })
  for (const [url, methods] of methodsByPath)
    if (url !== '*') router.on('GET', url, () => undefined, methods)
  return router
}
