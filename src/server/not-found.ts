import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import findMyWay from 'find-my-way'

import { MAX_COMPARED_LENGTH, describeClosest } from '@materials-mock/json'
import { fillTemplate } from '../controls/path-glob.js'
import { MethodNotAllowed, RouteNotFound } from '../errors.js'
import type { ResourceRoutes } from '../http/resource-routes.js'
import type { Store } from '../store/store.js'
import type { PassOn } from './upstream/pass-on.js'

/** The longest path parameter. No request line is as long, so a long id gets an ordinary 404. */
export const MAX_PARAM_LENGTH = 1_000_000

/**
 * Answers a request without a route, before its body is read: 405 with `Allow` (RFC 9110, section
 * 15.5.6), 404, or OPTIONS with 204 (section 9.3.7). Call it before any route is registered.
 * @param passOn answers paths without a route, except below the controls
 */
export function createNotFound(
  app: FastifyInstance,
  resourceRoutes: ResourceRoutes,
  passOn: PassOn | undefined,
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const methodsByPath = new Map<string, Set<string>>()
  let router: PathRouter | undefined

  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    if (config?.operations !== undefined) return // resourceRoutes knows which resource has it
    const methods = methodsByPath.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsByPath.set(url, methods)
  })

  return (request, reply) => {
    if (!request.isUnrouted) return false
    const { method, store } = request
    const [path = ''] = request.url.split('?')
    const methods = findMethods(path, store)
    if (methods.size === 0 && passOn?.(request, reply) === true) return true
    // A path that only has refused writes allows GET, but has none.
    if (methods.size === 0 || methods.has(method)) {
      const documents = describeDocuments(path, methodsByPath)
      throw new RouteNotFound(path + describeClosestPath(path, store) + documents)
    }
    const allow = [...methods].toSorted().join(', ')
    reply.header('allow', allow)
    if (method !== 'OPTIONS') {
      const suggestion = method === 'POST' ? suggestCreate(path, store) : ''
      throw new MethodNotAllowed(method, path, allow + suggestion)
    }
    reply.code(204).send()
    return true
  }

  function findMethods(path: string, store: Store): ReadonlySet<string> {
    router ??= createPathRouter(methodsByPath)
    const methods: ReadonlySet<string> | undefined = router.find('GET', path)?.store
    return new Set([...(methods ?? []), ...resourceRoutes.findMethods(path, store)])
  }

  /** Names the paths that differ in one segment, by a typing error, or the path that lacks the version. */
  function describeClosestPath(path: string, store: Store): string {
    if (path.length > MAX_COMPARED_LENGTH) return ''
    const versioned = resourceRoutes.basePath + path
    if (findMethods(versioned, store).size > 0) return `; the closest one is ${versioned}`
    const given = path.split('/')
    const near = new Set<string>()
    const routes = Array.from(resourceRoutes.list(store), (route) => route.path)
    for (const template of [...methodsByPath.keys(), ...routes]) {
      const segments = fillTemplate(template, path).split('/')
      const count = segments.filter((segment, index) => segment !== given[index]).length
      if (segments.length === given.length && count === 1) near.add(segments.join('/'))
    }
    return near.size === 0 ? '' : describeClosest(path, near)
  }

  /** Tells a client that POSTs to a list, as other APIs expect, how to create an item. */
  function suggestCreate(path: string, store: Store): string {
    const create = `${path.replace(/\/$/, '')}/create`
    return findMethods(create, store).has('PUT') ? `; PUT ${create} creates an item` : ''
  }
}

/** Says which OpenAPI documents list the paths: the document of the path's part of the server, or all. */
function describeDocuments(path: string, methodsByPath: ReadonlyMap<string, unknown>): string {
  const all = [...methodsByPath.keys()].filter((url) => /\/(?:swagger|openapi)\.json$/.test(url))
  const own = all.find((url) => `${path}/`.startsWith(url.slice(0, url.lastIndexOf('/') + 1)))
  const documents = own === undefined ? all : [own]
  if (documents.length === 0) return ''
  return `; ${documents.join(' and ')} ${documents.length === 1 ? 'lists' : 'list'} all paths`
}

type PathRouter = ReturnType<typeof findMyWay>

function createPathRouter(methodsByPath: ReadonlyMap<string, ReadonlySet<string>>): PathRouter {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH })
  for (const [url, methods] of methodsByPath)
    if (url !== '*') router.on('GET', url, () => undefined, methods)
  return router
}
