import { Type } from '@sinclair/typebox'

import { PatternTooCostly } from '../errors.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { responses } from '../http/openapi/responses.js'
import { Success } from '../http/envelope-schema.js'
import { PatchBody, getNewItemSchema } from '../resources/schemas.js'
import {
  ITEM_BODY_ERRORS,
  ItemParams,
  WRITE_ERRORS,
  itemNotFound,
  itemPost,
  itemResponses,
} from './item-operations.js'

/** `PUT /<resource>/create` */
export const createOperation = (resource: string) =>
  ({
    operationId: `${resource}-create`,
    tags: [resource],
    summary: `Create one of ${resource}`,
    description: 'The response is the new item, with the fields that the server assigns.',
    body: getNewItemSchema(resource),
    responses: () => itemResponses(resource, ITEM_BODY_ERRORS),
  }) satisfies OperationSchema

/** `PATCH /<resource>/{id}` */
export const patchOperation = (resource: string) =>
  ({
    operationId: `${resource}-patch`,
    tags: [resource],
    summary: `Change one of ${resource}`,
    description: "Sets fields by their dotted paths, or applies MongoDB's update operators.",
    params: ItemParams,
    body: PatchBody,
    responses: () =>
      itemResponses(resource, [
        ...ITEM_BODY_ERRORS,
        new PatternTooCostly(20),
        itemNotFound(resource),
      ]),
  }) satisfies OperationSchema

/** `DELETE /<resource>/{id}` */
export const deleteOperation = (resource: string) =>
  ({
    operationId: `${resource}-delete`,
    tags: [resource],
    summary: `Delete one of ${resource}`,
    description: 'Deletes it for every account.',
    params: ItemParams,
    responses: () => responses(Success(Type.Object({})), [...WRITE_ERRORS, itemNotFound(resource)]),
  }) satisfies OperationSchema

/** `POST /<resource>/{id}/copy` */
export const copyOperation = (resource: string) =>
  ({
    operationId: `${resource}-copy`,
    tags: [resource],
    summary: `Copy one of ${resource}`,
    description: 'The response is the copy. The account owns it, and it is not the default.',
    ...itemPost(resource),
  }) satisfies OperationSchema

/** `POST /<resource>/{id}/set-default` */
export const setDefaultOperation = (resource: string) =>
  ({
    operationId: `${resource}-set-default`,
    tags: [resource],
    summary: `Make one of ${resource} the default`,
    description: 'No other item that the account sees is the default any longer.',
    ...itemPost(resource),
  }) satisfies OperationSchema
