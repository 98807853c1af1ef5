import type { FastifyInstance } from 'fastify'

import { ImportBody, importMaterial } from '../domain/materials/import-material.js'
import { createItem } from '../store/writes/item-writes.js'
import { ITEM_BODY_ERRORS, describeAction, itemResponses } from './item-operations.js'
import type { WriteOptions } from './write-routes.js'

/** `POST /materials/import`: creates a material from a structure file. Behind the auth plugin. */
export async function materialImport(
  app: FastifyInstance,
  { resource }: WriteOptions,
): Promise<void> {
  app.post<{ Body: ImportBody }>('/import', { schema: IMPORT }, async ({ body }, reply) => {
    // A slice of its own: 10,000 atoms take as long to parse as the item does to create.
    const material = await reply.runStep(() => importMaterial(body))
    return reply.sendCreated(resource, (context) => createItem(resource, material, context))
  })
}

const IMPORT = describeAction('materials', 'import', {
  summary: 'Create a material from a structure file',
  description: 'The file is a POSCAR of VASP 5 or a CIF.',
  body: ImportBody,
  responses: () => itemResponses('materials', ITEM_BODY_ERRORS),
})
