import { Type } from '@sinclair/typebox'

import { ItemNotFound, OwnerForbidden } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { Success } from '../http/envelope-schema.js'
import { AUTH_ERRORS, JSON_BODY_ERRORS, responses } from '../http/openapi/responses.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { getItemSchema } from '../resources/schemas.js'

/** Describes an operation of a resource, whose name is the resource's name and the action. */
export const describeAction = (
  resource: string,
  action: string,
  rest: Omit<OperationSchema, 'operationId' | 'tags'>,
): OperationSchema => ({ operationId: `${resource}-${action}`, tags: [resource], ...rest })

/** The path parameters of a route for one item. */
export const ItemParams = Type.Object({ id: Type.String({ description: "The item's _id" }) })

/** An example of each error that any write may respond with. */
export const WRITE_ERRORS = [...AUTH_ERRORS, ...JSON_BODY_ERRORS]

/** An example of each error that a write whose body may name an owner may respond with. */
export const ITEM_BODY_ERRORS = [...WRITE_ERRORS, new OwnerForbidden('another account')]

/** Returns an example of the error for an `_id` that no item has. */
export const itemNotFound = (resource: string): CatalogueError =>
  new ItemNotFound(resource, 'nothing')

/** Returns the responses of a route that sends one item of a resource. */
export const itemResponses = (resource: string, errors: Iterable<CatalogueError>) =>
  responses(Success(getItemSchema(resource)), errors)

/** Returns the parts that all operations share that POST to an item without a body. */
export const itemPost = (resource: string, errors: Iterable<CatalogueError> = []) => ({
  params: ItemParams,
  responses: () => itemResponses(resource, [...WRITE_ERRORS, ...errors, itemNotFound(resource)]),
})
