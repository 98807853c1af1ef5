import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { getItemSchema } from '@materials-mock/api'
import { ParameterInvalid } from '../errors.js'
import { OWNER_ERRORS } from '../http/openapi/responses.js'
import type { ItemRoute, ResourceOperation } from '../http/resource-routes.js'
import { refuseUnknownParameters } from '../http/strict-parameters.js'
import { RESOURCES, describeResource } from '../resources/resources.js'
import { copyBankItem } from '../store/writes/item-writes.js'

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

export const isBank = (resource: string): boolean => describeResource(resource).bankOf !== undefined

const getTarget = (bank: string): string => describeResource(bank).bankOf!

/** `POST /<bank>/{id}/copy`. The response to every other write to a bank is 405. */
export const COPY_FROM_BANK: ResourceOperation<ItemRoute & { Querystring: CopyQuerystring }> = {
  method: 'POST',
  path: '/:id/copy',
  only: Object.keys(RESOURCES).filter(isBank),
  describe: (bank) => ({
    summary: `Copy an item of ${bank} into ${getTarget(bank)}`,
    description: `The response is the new item of /${getTarget(bank)}. The account owns it.`,
    querystring: CopyQuerystring,
    data: () => getItemSchema(getTarget(bank)),
    errors: [
      ...OWNER_ERRORS,
      new ParameterInvalid('accountId must be a string that is not empty, not ""'),
    ],
  }),
  prepare: refuseUnknownParameters,
  handle: async ({ params: { resource: bank, id }, query, accountId, store }, reply) =>
    reply.writtenBody(getTarget(bank), (writer) => {
      const { item } = store.writer(bank, accountId).find(id)
      return writer.insert(copyBankItem(item, query.accountId, writer.context))
    }),
}
