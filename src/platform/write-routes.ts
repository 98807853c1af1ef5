import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { PatternTooCostly, RouteNotFound } from '../errors.js'
import { Success } from '../http/envelope-schema.js'
import { responses } from '../http/openapi/responses.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import type { JsonObject } from '../json/json.js'
import { PatchBody, getNewItemSchema } from '../resources/schemas.js'
import { copyItem, createItem, patchItem } from '../store/writes/item-writes.js'
import {
  ITEM_BODY_ERRORS,
  ItemParams,
  WRITE_ERRORS,
  describeAction,
  itemNotFound,
  itemPost,
  itemResponses,
} from './item-operations.js'
import type { ItemRoute } from './item-operations.js'
import type { ReadOptions } from './read-routes.js'

/** The options of the routes that write one resource. */
export interface WriteOptions {
  readonly resource: string
}

/** Creates, changes, deletes and copies items, and sets the default. Behind the auth plugin. */
export async function writeRoutes(app: FastifyInstance, { resource }: WriteOptions): Promise<void> {
  app.put<{ Body: JsonObject }>(
    '/create',
    { schema: createOperation(resource) },
    async ({ body }, reply) =>
      reply.sendCreated(resource, (context) => createItem(resource, body, context)),
  )

  app.patch<ItemRoute & { Body: JsonObject }>(
    '/:id',
    { schema: patchOperation(resource) },
    async ({ params, body }, reply) =>
      reply.sendWritten(resource, (writer) => {
        const former = writer.find(params.id)
        return writer.replace(former, patchItem(resource, former.item, body, writer.context))
      }),
  )

  app.delete<ItemRoute>(
    '/:id',
    { schema: deleteOperation(resource) },
    async ({ params, accountId, store }, reply) =>
      reply.runStep(() => {
        const writer = store.writer(resource, accountId)
        writer.remove(writer.find(params.id))
        return {}
      }),
  )

  app.post<ItemRoute>('/:id/copy', { schema: copyOperation(resource) }, async ({ params }, reply) =>
    reply.sendWritten(resource, (writer) =>
      writer.insert(copyItem(resource, writer.find(params.id).item, writer.context)),
    ),
  )

  app.post<ItemRoute>(
    '/:id/set-default',
    { schema: setDefaultOperation(resource) },
    async ({ params }, reply) =>
      reply.sendWritten(resource, (writer) => writer.setDefault(writer.find(params.id))),
  )
}

/** `PUT /<resource>/create` */
const createOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'create', {
    summary: `Create an item of ${resource}`,
    description: 'The response is the new item, with the fields that the server assigns.',
    body: getNewItemSchema(resource),
    responses: () => itemResponses(resource, ITEM_BODY_ERRORS),
  })

/** `PATCH /<resource>/{id}` */
const patchOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'patch', {
    summary: `Change an item of ${resource}`,
    description: "Sets fields by their dotted paths, or applies MongoDB's update operators.",
    params: ItemParams,
    body: PatchBody,
    responses: () =>
      itemResponses(resource, [
        ...ITEM_BODY_ERRORS,
        new PatternTooCostly(20),
        itemNotFound(resource),
      ]),
  })

/** `DELETE /<resource>/{id}` */
const deleteOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'delete', {
    summary: `Delete an item of ${resource}`,
    description: 'Deletes the item for every account.',
    params: ItemParams,
    responses: () => responses(Success(Type.Object({})), [...WRITE_ERRORS, itemNotFound(resource)]),
  })

/** `POST /<resource>/{id}/copy` */
const copyOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'copy', {
    summary: `Copy an item of ${resource}`,
    description: 'The response is the copy. The account owns it, and it is not the default.',
    ...itemPost(resource),
  })

/** `POST /<resource>/{id}/set-default` */
const setDefaultOperation = (resource: string): OperationSchema =>
  describeAction(resource, 'set-default', {
    summary: `Make an item of ${resource} the default`,
    description: 'Every other item that the account sees loses isDefault.',
    ...itemPost(resource),
  })

/** The paths below an item that only writes have. */
const WRITE_PATHS = ['/:id/copy', '/:id/set-default', '/:id/move-to-set', '/:id/update-set']

/** The paths below an item of the writes that only one resource has, by the resource. */
const SPECIAL_WRITE_PATHS: Readonly<Record<string, readonly string[]>> = {
  jobs: ['/:id/submit', '/:id/presigned-urls', '/:id/output-files'],
}

/**
 * In read-only mode, registers the paths of the writes, so that a write gets 405 with `Allow: GET,
 * HEAD`, and a GET of a path without reads gets 404.
 */
export async function readOnlyRoutes(
  app: FastifyInstance,
  { resource }: Pick<ReadOptions, 'resource'>,
): Promise<void> {
  registerWritePaths(app, [...WRITE_PATHS, ...(SPECIAL_WRITE_PATHS[resource] ?? [])])
}

/** Registers paths that have no method here, so that the response to a write is 405. */
export function registerWritePaths(app: FastifyInstance, paths: readonly string[]): void {
  for (const path of paths) {
    app.get(path, { schema: { hide: true } }, async ({ url }) => {
      throw new RouteNotFound(url)
    })
  }
}
