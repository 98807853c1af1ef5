import type { FastifyInstance } from 'fastify'

import { MoveQuerystring, checkIsSet, isOrderedSet, moveToSet } from '../domain/entity-sets.js'
import { BodyInvalid, ParameterInvalid, PatternTooCostly } from '../errors.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { refuseUnknownParameters } from '../http/strict-parameters.js'
import type { JsonObject } from '../json/json.js'
import { getNewItemSchema, getNewSetSchema } from '../resources/schemas.js'
import { successOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import { createItem, patchItem } from '../store/writes/item-writes.js'
import type { Work } from '../work/work.js'
import {
  ITEM_BODY_ERRORS,
  ItemParams,
  describeAction,
  itemNotFound,
  itemPost,
  itemResponses,
} from './item-operations.js'
import type { ItemRoute } from './item-operations.js'
import type { WriteOptions } from './write-routes.js'

/** Creates sets of items, and moves items between them. Behind the auth plugin. */
export async function setRoutes(app: FastifyInstance, { resource }: WriteOptions): Promise<void> {
  app.put<{ Body: JsonObject }>(
    '/create-set',
    { schema: createSetOperation(resource) },
    async ({ body }, reply) =>
      reply.sendCreated(resource, (context) =>
        createItem(resource, { ...body, isEntitySet: true }, context),
      ),
  )

  app.post<ItemRoute & { Querystring: MoveQuerystring }>(
    '/:id/move-to-set',
    { schema: moveOperation(resource), preValidation: refuseUnknownParameters },
    async ({ params, query, accountId, store }, reply) => {
      const writer = store.writer(resource, accountId)
      return reply.sendItem(await reply.runWork(move(writer, params.id, query)))
    },
  )

  app.put<ItemRoute & { Body: JsonObject }>(
    '/:id/update-set',
    { schema: updateSetOperation(resource) },
    async ({ params, body }, reply) =>
      reply.sendWritten(resource, (writer) => {
        const former = writer.find(params.id)
        checkIsSet(former.item)
        const updated = patchItem(resource, former.item, body, writer.context)
        if (updated.isEntitySet !== true) throw new BodyInvalid('isEntitySet must remain true')
        return writer.replace(former, updated)
      }),
  )
}

/** Moves an item. It first reads an ordered set, in small steps, to find the next index. */
function* move(writer: CollectionWriter, id: string, query: MoveQuerystring): Work<Entry> {
  const { newSetId = '' } = query
  const findItem = (setId: string): JsonObject => writer.find(setId).item
  const isOrdered = newSetId !== '' && isOrderedSet(findItem(newSetId))
  const index = isOrdered ? yield* writer.findNextIndex(newSetId) : undefined
  const entry = writer.find(id)
  const item = moveToSet(entry.item, query, findItem, index)
  const moved = item === entry.item ? entry : writer.replace(entry, writer.touch(item))
  successOf(moved) // in this slice, as the text of a large item takes long
  return moved
}

const createSetOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'create-set', {
    summary: `Create a set of ${resource}`,
    description: [
      'A set is an item. The inSet of other items names the sets that they are in. If its entitySetType',
      'is ordered, each item that is moved to it gets the next index.',
    ].join(' '),
    body: getNewSetSchema(resource),
    responses: () => itemResponses(resource, ITEM_BODY_ERRORS),
  })

const updateSetOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'update-set', {
    summary: `Change a set of ${resource}`,
    description: "Sets the fields of the body, as a PATCH does. The set's items do not change.",
    params: ItemParams,
    body: getNewItemSchema(resource),
    responses: () =>
      itemResponses(resource, [
        ...ITEM_BODY_ERRORS,
        new ParameterInvalid('id must be the _id of a set; "m1" is an item'),
        new PatternTooCostly(20),
        itemNotFound(resource),
      ]),
  })

const moveOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'move-to-set', {
    summary: `Move an item of ${resource} between sets`,
    description:
      'Removes the item from the old set, if the request names one, and adds it to the new set.',
    querystring: MoveQuerystring,
    ...itemPost(resource, [
      new ParameterInvalid('newSetId must be the _id of a set; "m1" is an item'),
    ]),
  })
