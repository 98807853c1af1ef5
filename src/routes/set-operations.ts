import { ParameterInvalid } from '../errors.js'
import { itemSchemasOf } from '../schemas/item.js'
import { Success } from '../schemas/jsend.js'
import { Move, newSetOf } from '../schemas/new-item.js'
import type { OperationSchema } from '../schemas/operation.js'
import { responses } from '../schemas/responses.js'
import { WITH_ITEM, WRITE, onItem } from './write-operations.js'

/** `PUT /<resource>/create-set`, as the document tells it. */
export const createSetOperation = (resource: string) =>
  ({
    operationId: `${resource}-create-set`,
    tags: [resource],
    summary: `Create a set of ${resource}`,
    description: 'A set is an item; which items are in it, their inSet says.',
    body: newSetOf(resource),
    responses: () => responses(Success(itemSchemasOf(resource).whole), [...WRITE, ...WITH_ITEM]),
  }) satisfies OperationSchema

/** `POST /<resource>/{id}/move-to-set`, as the document tells it. */
export const moveOperation = (resource: string) =>
  ({
    operationId: `${resource}-move-to-set`,
    tags: [resource],
    summary: `Move one of ${resource} from set to set`,
    description: 'Out of the one set, if one is named, and into the other, if one is.',
    querystring: Move,
    ...onItem(resource, [
      new ParameterInvalid('newSetId must be the _id of a set; "m1" is that of an item'),
    ]),
  }) satisfies OperationSchema
