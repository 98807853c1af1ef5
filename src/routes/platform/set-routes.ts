import type { FastifyInstance } from 'fastify'

import { moveToSet, toEntitySet } from '../../domain/sets/entity-sets.js'
import { ParameterInvalid } from '../../errors.js'
import type { JsonObject } from '../../json/json.js'
import type { OperationSchema } from '../../openapi/operation-schema.js'
import { MoveQuerystring, getNewSetSchema } from '../../schemas/write-bodies.js'
import { createItem } from '../../store/writes/item-writes.js'
import { ITEM_BODY_ERRORS, itemPost, itemResponses } from './item-operations.js'
import type { ItemRoute } from './item-operations.js'
import type { WriteOptions } from './write-routes.js'

/** Creates sets of items, and moves items between them. Behind the auth plugin. */
export async function setRoutes(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options
  const { resource } = collection

  app.put<{ Body: JsonObject }>(
    '/create-set',
    { schema: createSetOperation(resource) },
    async ({ body, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const createSet = () => createItem(resource, toEntitySet(body), writer.context)
      return reply.sendCreated(writer, createSet)
    },
  )

  app.post<ItemRoute & { Querystring: MoveQuerystring }>(
    '/:id/move-to-set',
    { schema: moveOperation(resource) },
    async ({ params, query, accountId }, reply) =>
      reply.sendWritten(() => {
        const writer = store.writer(collection, accountId)
        const entry = writer.find(params.id)
        const moved = moveToSet(entry.item, query, accountId, (id) => writer.find(id).item)
        return writer.replace(entry, moved)
      }),
  )
}

const createSetOperation = (resource: string) =>
  ({
    operationId: `${resource}-create-set`,
    tags: [resource],
    summary: `Create a set of ${resource}`,
    description: 'A set is an item. The inSet of other items says which of them are in it.',
    body: getNewSetSchema(resource),
    responses: () => itemResponses(resource, ITEM_BODY_ERRORS),
  }) satisfies OperationSchema

const moveOperation = (resource: string) =>
  ({
    operationId: `${resource}-move-to-set`,
    tags: [resource],
    summary: `Move one of ${resource} from set to set`,
    description: 'Removes it from the old set, if one is named, and adds it to the new one.',
    querystring: MoveQuerystring,
    ...itemPost(resource, [
      new ParameterInvalid('newSetId must be the _id of a set; "m1" is that of an item'),
    ]),
  }) satisfies OperationSchema
