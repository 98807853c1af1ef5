import type { FastifyRequest } from 'fastify'

import { RouteNotFound } from '../errors.js'
import type { Collection } from '../store/collection.js'

/**
 * Returns the collection of the resource that the path of a control names.
 * @throws RouteNotFound for an unknown resource, of which `accounts` is one
 */
export function findCollection({ params, url, sandbox }: FastifyRequest): Collection {
  const { collections } = sandbox.store
  const collection = collections.get((params as { readonly resource: string }).resource)
  if (collection !== undefined) return collection
  const [path = ''] = url.split('?')
  throw new RouteNotFound(`${path}; the resources are ${[...collections.keys()].join(', ')}`)
}
