import { Type } from '@sinclair/typebox'

import { ItemNotFound, OwnerForbidden } from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { BEHIND_AUTH, WITH_JSON, responses } from '../../openapi/responses.js'
import { itemSchemasOf } from '../../schemas/item.js'
import { Success } from '../../schemas/jsend.js'

/** The types of a route for one item. */
export interface ItemRoute {
  readonly Params: { readonly id: string }
}

/** The path parameters of a route for one item. */
export const ItemParams = Type.Object({ id: Type.String({ description: "The item's _id" }) })

/** One error of each code that any write may answer with. */
export const WRITE_ERRORS: readonly CatalogueError[] = [...BEHIND_AUTH, ...WITH_JSON]

/** The same for a write whose body is an item. */
export const ITEM_BODY_ERRORS: readonly CatalogueError[] = [
  ...WRITE_ERRORS,
  new OwnerForbidden('another account'),
]

/** The error for an `_id` that no item has, as an example. */
export const itemNotFound = (resource: string): CatalogueError =>
  new ItemNotFound(resource, 'nothing')

/** Returns the responses of a route that answers with one item of a resource. */
export const itemResponses = (resource: string, errors: readonly CatalogueError[]) =>
  responses(Success(itemSchemasOf(resource).whole), errors)

/** Returns the part of an operation that a POST to one item, without a body, has in common. */
export const itemPost = (resource: string, errors: readonly CatalogueError[] = []) => ({
  params: ItemParams,
  responses: () => itemResponses(resource, [...WRITE_ERRORS, ...errors, itemNotFound(resource)]),
})
