import type { FastifyInstance } from 'fastify'

import type { JsonObject } from '../json/json.js'
import { copyItem, createItem, patchItem } from '../store/writes/item-writes.js'
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
  readonly resource: string
}

/** Creates, changes, deletes and copies items, and sets the default. Behind the auth plugin. */
export async function writeRoutes(app: FastifyInstance, { resource }: WriteOptions): Promise<void> {
  app.put<{ Body: JsonObject }>(
    '/create',
    { schema: createOperation(resource) },
    async ({ body, accountId, store }, reply) => {
      const writer = store.writer(resource, accountId)
      return reply.sendCreated(writer, () => createItem(resource, body, writer.context))
    },
  )

  app.patch<ItemRoute & { Body: JsonObject }>(
    '/:id',
    { schema: patchOperation(resource) },
    async ({ params, body, accountId, store }, reply) =>
      reply.sendWritten(() => {
        const writer = store.writer(resource, accountId)
        const former = writer.find(params.id)
        return writer.replace(former, patchItem(resource, former.item, body, writer.context))
      }),
  )

  app.delete<ItemRoute>(
    '/:id',
    { schema: deleteOperation(resource) },
    async ({ params, accountId, store }, reply) =>
      reply.runStep(() => {
        const writer = store.writer(resource, accountId)
        writer.remove(writer.find(params.id))
        return {}
      }),
  )

  app.post<ItemRoute>(
    '/:id/copy',
    { schema: copyOperation(resource) },
    async ({ params, accountId, store }, reply) => {
      const writer = store.writer(resource, accountId)
      return reply.sendCreated(writer, () =>
        copyItem(resource, writer.find(params.id).item, writer.context),
      )
    },
  )

  app.post<ItemRoute>(
    '/:id/set-default',
    { schema: setDefaultOperation(resource) },
    async ({ params, accountId, store }, reply) =>
      reply.sendWritten(() => {
        const writer = store.writer(resource, accountId)
        return writer.setDefault(writer.find(params.id))
      }),
  )
}
