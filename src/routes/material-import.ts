import type { FastifyInstance } from 'fastify'

import { Import } from '../schemas/new-item.js'
import { createItem } from '../store/documents.js'
import { readImport } from '../store/import.js'
import { sendItem } from './send-item.js'
import type { WriteOptions } from './write.js'

/** `POST /materials/import`: a material from a structure file. Behind the auth plugin. */
export async function materialImport(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options

  app.post<{ Body: Import }>(
    '/import',
    { schema: { body: Import } },
    async ({ body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const item = createItem(collection.resource, readImport(body), writer.author)
      return sendItem(reply, writer.insert(item))
    },
  )
}
