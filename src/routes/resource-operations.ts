import { Type } from '@sinclair/typebox'

import {
  BoundExceeded,
  BudgetExceeded,
  ItemNotFound,
  ParameterInvalid,
  ProjectionInvalid,
  QueryInvalid,
} from '../errors.js'
import { BEHIND_AUTH, responses } from '../schemas/responses.js'
import { itemSchemasOf } from '../schemas/item.js'
import { Success } from '../schemas/jsend.js'
import { Listing } from '../schemas/listing.js'
import type { OperationSchema } from '../schemas/operation.js'

/** `GET /<resource>`, as the document tells it. */
export const listOperation = (resource: string) =>
  ({
    operationId: `${resource}-list`,
    tags: [resource],
    summary: `List ${resource}`,
    description: 'The accessible items that fit the query, as the projection wants them.',
    querystring: Listing,
    responses: () =>
      responses(Success(Type.Array(itemSchemasOf(resource).part)), [...BEHIND_AUTH, ...LISTING]),
  }) satisfies OperationSchema

/** `GET /<resource>/{id}`, as the document tells it. */
export const getOperation = (resource: string) =>
  ({
    operationId: `${resource}-get`,
    tags: [resource],
    summary: `Get one of ${resource}`,
    description: 'The accessible item with this _id, whole.',
    params: ItemId,
    responses: () =>
      responses(Success(itemSchemasOf(resource).whole), [
        ...BEHIND_AUTH,
        new ItemNotFound(resource, 'nothing'),
      ]),
  }) satisfies OperationSchema

/** The path of one item. */
export const ItemId = Type.Object({ id: Type.String({ description: "The item's _id" }) })

const LISTING = [
  new QueryInvalid('query.formula has the operator "$gtx", which is not known'),
  new ProjectionInvalid('projection.limit must be an integer from 1 to 500, not 501'),
  new ParameterInvalid('query is given 2 times; give it once'),
  new BoundExceeded('query must have at most 32768 bytes, not 40000'),
  new BudgetExceeded(1000),
]
