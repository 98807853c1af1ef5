import type { FastifyInstance } from 'fastify'

import type { JsonObject } from '../schemas/json.js'
import type { Collection } from '../store/collection.js'
import { copyItem, createItem, patchItem } from '../store/documents.js'
import type { Store } from '../store/store.js'
import { sendItem } from './send.js'
import {
  copyOperation,
  createOperation,
  deleteOperation,
  patchOperation,
  setDefaultOperation,
} from './write-operations.js'

/** What the routes that write to one resource are registered with. */
export interface WriteOptions {
  readonly store: Store
  readonly collection: Collection
  /** How many milliseconds the conditions in one PATCH may take. */
  readonly queryBudget: number
}

/** The path parameter of one item's routes. */
export interface OneItem {
  readonly Params: { readonly id: string }
}

/** The routes that write, the same for all resources. Behind the auth plugin. */
export async function write(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection, queryBudget } = options
  const { resource } = collection

  app.put<{ Body: JsonObject }>(
    '/create',
    { schema: createOperation(resource) },
    async ({ body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      return sendItem(reply, writer.insert(createItem(resource, body, writer.author)))
    },
  )

  app.patch<OneItem & { Body: JsonObject }>(
    '/:id',
    { schema: patchOperation(resource) },
    async ({ params, body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const entry = writer.find(params.id)
      const item = patchItem(resource, entry.item, body, writer.author, queryBudget)
      return sendItem(reply, writer.replace(entry, item))
    },
  )

  app.delete<OneItem>(
    '/:id',
    { schema: deleteOperation(resource) },
    async ({ params, accountId }) => {
      const writer = store.writer(collection, accountId)
      writer.remove(writer.find(params.id))
      return {}
    },
  )

  app.post<OneItem>(
    '/:id/copy',
    { schema: copyOperation(resource) },
    async ({ params, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const { item } = writer.find(params.id)
      return sendItem(reply, writer.insert(copyItem(resource, item, writer.author)))
    },
  )

  app.post<OneItem>(
    '/:id/set-default',
    { schema: setDefaultOperation(resource) },
    async ({ params, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      return sendItem(reply, writer.setDefault(writer.find(params.id)))
    },
  )
}
