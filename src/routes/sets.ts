import type { FastifyInstance } from 'fastify'

import type { JsonObject } from '../schemas/json.js'
import type { Move } from '../schemas/new-item.js'
import { createItem } from '../store/documents.js'
import { asSet, moveToSet } from '../store/sets.js'
import { sendItem } from './send.js'
import { createSetOperation, moveOperation } from './set-operations.js'
import type { OneItem, WriteOptions } from './write.js'

/** The routes of sets of items, the same for all resources. Behind the auth plugin. */
export async function sets(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options
  const { resource } = collection

  app.put<{ Body: JsonObject }>(
    '/create-set',
    { schema: createSetOperation(resource) },
    async ({ body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      return sendItem(reply, writer.insert(createItem(resource, asSet(body), writer.author)))
    },
  )

  app.post<OneItem & { Querystring: Move }>(
    '/:id/move-to-set',
    { schema: moveOperation(resource) },
    async ({ params, query, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const entry = writer.find(params.id)
      return sendItem(reply, writer.replace(entry, moveToSet(entry.item, query, writer.find)))
    },
  )
}
