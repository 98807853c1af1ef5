import { Type } from '@sinclair/typebox'

import { BudgetExceeded, ItemNotFound, OwnerForbidden } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { itemSchemasOf } from '../schemas/item.js'
import { Success } from '../schemas/jsend.js'
import { Patch, newItemOf } from '../schemas/new-item.js'
import type { OperationSchema } from '../schemas/operation.js'
import { BEHIND_AUTH, WITH_JSON, responses } from '../schemas/responses.js'
import { ItemId } from './resource-operations.js'

/** How any write may fail. */
export const WRITE: readonly CatalogueError[] = [...BEHIND_AUTH, ...WITH_JSON]

/** How a write may fail whose body has items of its own. */
export const WITH_ITEM: readonly CatalogueError[] = [new OwnerForbidden('another account')]

/** `PUT /<resource>/create`, as the document tells it. */
export const createOperation = (resource: string) =>
  ({
    operationId: `${resource}-create`,
    tags: [resource],
    summary: `Create one of ${resource}`,
    description: 'The answer is the new item, with what the server assigns and computes.',
    body: newItemOf(resource),
    responses: () => responses(Success(itemSchemasOf(resource).whole), [...WRITE, ...WITH_ITEM]),
  }) satisfies OperationSchema

/** `PATCH /<resource>/{id}`, as the document tells it. */
export const patchOperation = (resource: string) =>
  ({
    operationId: `${resource}-patch`,
    tags: [resource],
    summary: `Change one of ${resource}`,
    description: "Sets fields by their dotted paths, or does MongoDB's update operators.",
    params: ItemId,
    body: Patch,
    responses: () =>
      responses(Success(itemSchemasOf(resource).whole), [
        ...WRITE,
        ...WITH_ITEM,
        new BudgetExceeded(1000),
        new ItemNotFound(resource, 'nothing'),
      ]),
  }) satisfies OperationSchema

/** `DELETE /<resource>/{id}`, as the document tells it. */
export const deleteOperation = (resource: string) =>
  ({
    operationId: `${resource}-delete`,
    tags: [resource],
    summary: `Delete one of ${resource}`,
    description: 'It is gone for every account.',
    params: ItemId,
    responses: () =>
      responses(Success(Type.Object({})), [...WRITE, new ItemNotFound(resource, 'nothing')]),
  }) satisfies OperationSchema

/** `POST /<resource>/{id}/copy`, as the document tells it. */
export const copyOperation = (resource: string) =>
  ({
    operationId: `${resource}-copy`,
    tags: [resource],
    summary: `Copy one of ${resource}`,
    description: "The answer is the copy: the account's own, and not the default.",
    ...onItem(resource),
  }) satisfies OperationSchema

/** `POST /<resource>/{id}/set-default`, as the document tells it. */
export const setDefaultOperation = (resource: string) =>
  ({
    operationId: `${resource}-set-default`,
    tags: [resource],
    summary: `Make one of ${resource} the default`,
    description: 'The former default of what the account sees is one no more.',
    ...onItem(resource),
  }) satisfies OperationSchema

/** A POST that needs no body, and answers with an item. */
export const onItem = (resource: string, failures: readonly CatalogueError[] = []) => ({
  params: ItemId,
  responses: () =>
    responses(Success(itemSchemasOf(resource).whole), [
      ...WRITE,
      ...failures,
      new ItemNotFound(resource, 'nothing'),
    ]),
})
