import { ImportBody, importMaterial } from '../domain/materials/import-material.js'
import type { CollectionRoute, ResourceOperation } from '../http/resource-routes.js'
import { createItem } from '../store/writes/item-writes.js'
import { ITEM_BODY_ERRORS, describeAction, itemResponses } from './item-operations.js'

/** `POST /materials/import`: creates a material from a structure file. */
export const IMPORT: ResourceOperation<CollectionRoute & { Body: ImportBody }> = {
  method: 'POST',
  path: '/import',
  only: ['materials'],
  describe: (resource) =>
    describeAction(resource, 'import', {
      summary: 'Create a material from a structure file',
      description: 'The file is a POSCAR or a CIF.',
      body: ImportBody,
      responses: () => itemResponses(resource, ITEM_BODY_ERRORS),
    }),
  async handle({ params: { resource }, body }, reply) {
    // A slice of its own: 10,000 atoms take as long to parse as the item does to create.
    const material = await reply.runStep(() => importMaterial(body))
    return reply.sendCreated(resource, (context) => createItem(resource, material, context))
  },
}
