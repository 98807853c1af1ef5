import { Type } from '@sinclair/typebox'

import { PatchBody, getNewItemSchema } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { ImportBody, importMaterial } from '@materials-mock/structures'
import { toWork } from '@materials-mock/work'
import { PatternTooCostly } from '../errors.js'
import { OWNER_ERRORS } from '../http/openapi/responses.js'
import type { CollectionRoute, ItemRoute, ResourceOperation } from '../http/resource-routes.js'
import { CREATED_HEADERS } from '../http/send-json.js'
import { copyItem, createItem, patchItem } from '../store/writes/item-writes.js'

const CREATE: ResourceOperation<CollectionRoute & { Body: JsonObject }> = {
  method: 'PUT',
  path: '/create',
  describe: (resource) => ({
    summary: `Create an item of ${resource}`,
    description: 'The response is the new item, with the fields that the server assigns.',
    body: getNewItemSchema(resource),
    errors: OWNER_ERRORS,
    headers: CREATED_HEADERS,
  }),
  handle: async ({ params: { resource }, body }, reply) =>
    reply.createdBody(resource, (context) => createItem(resource, body, context)),
}

/** `POST /materials/import`: creates a material from a structure file. */
export const IMPORT: ResourceOperation<CollectionRoute & { Body: ImportBody }> = {
  method: 'POST',
  path: '/import',
  only: ['materials'],
  describe: () => ({
    summary: 'Create a material from a structure file',
    description: 'The file is a POSCAR or a CIF.',
    body: ImportBody,
    errors: OWNER_ERRORS,
    headers: CREATED_HEADERS,
  }),
  async handle({ params: { resource }, body }, reply) {
    // Before the write: 10,000 atoms take as long to parse as the item does to create.
    const material = await reply.runWork(toWork(importMaterial(body), 'parsing the body'))
    return reply.createdBody(resource, (context) => createItem(resource, material, context))
  },
}

const PATCH: ResourceOperation<ItemRoute & { Body: JsonObject }> = {
  method: 'PATCH',
  path: '/:id',
  action: 'patch',
  describe: (resource) => ({
    summary: `Change an item of ${resource}`,
    description: "Sets fields by their dotted paths, or applies MongoDB's update operators.",
    body: PatchBody,
    errors: [...OWNER_ERRORS, new PatternTooCostly(20)],
  }),
  handle: async ({ params: { resource, id }, body }, reply) =>
    reply.writtenBody(resource, (writer) => {
      const former = writer.find(id)
      return writer.replace(former, patchItem(resource, former.item, body, writer.context))
    }),
}

const DELETE: ResourceOperation<ItemRoute> = {
  method: 'DELETE',
  path: '/:id',
  action: 'delete',
  describe: (resource) => ({
    summary: `Delete an item of ${resource}`,
    description: 'Deletes the item for every account.',
    data: () => Type.Object({}),
  }),
  handle: async ({ params: { resource, id }, accountId, store }, reply) =>
    reply.runStep(() => {
      const writer = store.writer(resource, accountId)
      writer.remove(writer.find(id))
      return {}
    }),
}

const COPY: ResourceOperation<ItemRoute> = {
  method: 'POST',
  path: '/:id/copy',
  describe: (resource) => ({
    summary: `Copy an item of ${resource}`,
    description: 'The response is the copy. The account owns it, and it is not the default.',
  }),
  handle: async ({ params: { resource, id } }, reply) =>
    reply.writtenBody(resource, (writer) =>
      writer.insert(copyItem(resource, writer.find(id).item, writer.context)),
    ),
}

const SET_DEFAULT: ResourceOperation<ItemRoute> = {
  method: 'POST',
  path: '/:id/set-default',
  describe: (resource) => ({
    summary: `Make an item of ${resource} the default`,
    description: 'Every other item that the account sees loses isDefault.',
  }),
  handle: async ({ params: { resource, id } }, reply) =>
    reply.writtenBody(resource, (writer) => writer.setDefault(writer.find(id))),
}

export const WRITES = [CREATE, PATCH, DELETE, COPY, SET_DEFAULT]
