import type { FastifyInstance } from 'fastify'

import type { Import } from '../schemas/new-item.js'
import { createItem } from '../store/documents.js'
import { readImport } from '../store/import.js'
import { MATERIAL_IMPORT } from './own-operations.js'
import { sendItem } from './send.js'
import type { WriteOptions } from './write.js'

/** `POST /materials/import`: a material from a structure file. Behind the auth plugin. */
export async function materialImport(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options

  app.post<{ Body: Import }>(
    '/import',
    { schema: MATERIAL_IMPORT },
    async ({ body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const item = createItem(collection.resource, readImport(body), writer.author)
      return sendItem(reply, writer.insert(item))
    },
  )
}
