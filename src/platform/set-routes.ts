import { getNewItemSchema, getNewSetSchema } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'
import { MoveQuerystring, checkIsSet, isOrderedSet, moveToSet } from '../resources/entity-sets.js'
import { BodyInvalid, ParameterInvalid, PatternTooCostly } from '../errors.js'
import { OWNER_ERRORS } from '../http/openapi/responses.js'
import type { CollectionRoute, ItemRoute, ResourceOperation } from '../http/resource-routes.js'
import { refuseUnknownParameters } from '../http/strict-parameters.js'
import { jsonOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import { createItem, patchItem } from '../store/writes/item-writes.js'

const CREATE_SET: ResourceOperation<CollectionRoute & { Body: JsonObject }> = {
  method: 'PUT',
  path: '/create-set',
  describe: (resource) => ({
    summary: `Create a set of ${resource}`,
    description: [
      'A set is an item. The inSet of other items names the sets that they are in. If its entitySetType',
      'is ordered, each item that is moved to it gets the next index.',
    ].join(' '),
    body: getNewSetSchema(resource),
    errors: OWNER_ERRORS,
  }),
  handle: async ({ params: { resource }, body }, reply) =>
    reply.createdBody(resource, (context) =>
      createItem(resource, { ...body, isEntitySet: true }, context),
    ),
}

const MOVE_TO_SET: ResourceOperation<ItemRoute & { Querystring: MoveQuerystring }> = {
  method: 'POST',
  path: '/:id/move-to-set',
  describe: (resource) => ({
    summary: `Move an item of ${resource} between sets`,
    description:
      'Removes the item from the old set, if the request names one, and adds it to the new set.',
    querystring: MoveQuerystring,
    errors: [new ParameterInvalid('newSetId must be the _id of a set; "m1" is an item')],
  }),
  prepare: refuseUnknownParameters,
  async handle({ params: { resource, id }, query, accountId, store }, reply) {
    const writer = store.writer(resource, accountId)
    return reply.itemBody(await reply.runWork(move(writer, id, query)))
  },
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
  jsonOf(moved) // in this slice, as the text of a large item takes long
  return moved
}

const UPDATE_SET: ResourceOperation<ItemRoute & { Body: JsonObject }> = {
  method: 'PUT',
  path: '/:id/update-set',
  describe: (resource) => ({
    summary: `Change a set of ${resource}`,
    description: "Sets the fields of the body, as a PATCH does. The set's items do not change.",
    body: getNewItemSchema(resource),
    errors: [
      ...OWNER_ERRORS,
      new ParameterInvalid('id must be the _id of a set; "m1" is an item'),
      new PatternTooCostly(20),
    ],
  }),
  handle: async ({ params: { resource, id }, body }, reply) =>
    reply.writtenBody(resource, (writer) => {
      const former = writer.find(id)
      checkIsSet(former.item)
      const updated = patchItem(resource, former.item, body, writer.context)
      if (updated.isEntitySet !== true) throw new BodyInvalid('isEntitySet must remain true')
      return writer.replace(former, updated)
    }),
}

export const SET_WRITES = [CREATE_SET, MOVE_TO_SET, UPDATE_SET]
