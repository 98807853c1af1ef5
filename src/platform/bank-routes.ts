import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ParameterInvalid } from '../errors.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { refuseUnknownParameters } from '../http/strict-parameters.js'
import { describeResource } from '../resources/resources.js'
import { copyBankItem } from '../store/writes/item-writes.js'
import {
  ITEM_BODY_ERRORS,
  ItemParams,
  describeAction,
  itemNotFound,
  itemResponses,
} from './item-operations.js'
import type { ItemRoute } from './item-operations.js'
import { registerWritePaths } from './write-routes.js'
import type { WriteOptions } from './write-routes.js'

/** The URL parameter that names the owner of a copy from a bank. */
const CopyQuerystring = Type.Object({
  accountId: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The owner of the copy. The default is your own account.',
    }),
  ),
})
type CopyQuerystring = Static<typeof CopyQuerystring>

/** Whether a resource is a bank. */
export const isBank = (resource: string): boolean => describeResource(resource).bankOf !== undefined

/**
 * `POST /<bank>/{id}/copy`: copies an item of a bank into an account. The response to every other write
 * to a bank is 405. Behind the auth plugin.
 */
export async function bankRoutes(
  app: FastifyInstance,
  { resource: bank }: WriteOptions,
): Promise<void> {
  const resource = describeResource(bank).bankOf as string

  app.post<ItemRoute & { Querystring: CopyQuerystring }>(
    '/:id/copy',
    { schema: copyOperation(bank, resource), preValidation: refuseUnknownParameters },
    async ({ params, query, accountId, store }, reply) =>
      reply.sendCreated(resource, (context) => {
        const { item } = store.writer(bank, accountId).find(params.id)
        return copyBankItem(item, query.accountId, context)
      }),
  )
  registerWritePaths(app, ['/:id/set-default', '/:id/move-to-set', '/:id/update-set'])
}

const copyOperation = (bank: string, resource: string): OperationSchema =>
  describeAction(bank, 'copy', {
    summary: `Copy an item of ${bank} into ${resource}`,
    description: `The response is the new item of /${resource}. The account owns it.`,
    params: ItemParams,
    querystring: CopyQuerystring,
    responses: () =>
      itemResponses(resource, [
        ...ITEM_BODY_ERRORS,
        new ParameterInvalid('accountId must be a string that is not empty, not ""'),
        itemNotFound(bank),
      ]),
  })
