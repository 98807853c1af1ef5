import type { FastifyInstance } from 'fastify'

import type { JsonObject } from '../../json/json.js'
import type { Collection } from '../../store/collection.js'
import type { Store } from '../../store/store.js'
import { copyItem, createItem, patchItem } from '../../store/writes/item-writes.js'
import type { ItemRoute } from './item-operations.js'
import {
  copyOperation,
  createOperation,
  deleteOperation,
  patchOperation,
  setDefaultOperation,
} from './write-operations.js'

/** The options of the routes that write one resource. */
export interface WriteOptions {
  readonly store: Store
  readonly collection: Collection
}

/** Creates, changes, deletes and copies items, and sets the default. Behind the auth plugin. */
export async function writeRoutes(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options
  const { resource } = collection

  app.put<{ Body: JsonObject }>(
    '/create',
    { schema: createOperation(resource) },
    async ({ body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      return reply.sendCreated(writer, () => createItem(resource, body, writer.context))
    },
  )

  app.patch<ItemRoute & { Body: JsonObject }>(
    '/:id',
    { schema: patchOperation(resource) },
    async ({ params, body, accountId }, reply) =>
      reply.sendWritten(() => {
        const writer = store.writer(collection, accountId)
        const former = writer.find(params.id)
        return writer.replace(former, patchItem(resource, former.item, body, writer.context))
      }),
  )

  app.delete<ItemRoute>(
    '/:id',
    { schema: deleteOperation(resource) },
    async ({ params, accountId }, reply) =>
      reply.runStep(() => {
        const writer = store.writer(collection, accountId)
        writer.remove(writer.find(params.id))
        return {}
      }),
  )

  app.post<ItemRoute>(
    '/:id/copy',
    { schema: copyOperation(resource) },
    async ({ params, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const { item } = writer.find(params.id)
      return reply.sendCreated(writer, () => copyItem(resource, item, writer.context))
    },
  )

  app.post<ItemRoute>(
    '/:id/set-default',
    { schema: setDefaultOperation(resource) },
    async ({ params, accountId }, reply) =>
      reply.sendWritten(() => {
        const writer = store.writer(collection, accountId)
        return writer.setDefault(writer.find(params.id))
      }),
  )
}
