import type { FastifyInstance } from 'fastify'

import { CredentialsRejected } from '../errors.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { AUTH_ERRORS, responses } from '../http/openapi/responses.js'
import type { Account } from '../store/sign-in/account.js'
import { Success } from '../http/envelope-schema.js'
import { CurrentUser } from './user.js'

/** `GET /users/me`: the user of the request and the accounts of the user. Behind the auth plugin. */
export async function userRoutes(app: FastifyInstance): Promise<void> {
  app.get('/users/me', { schema: CURRENT_USER }, async ({ accountId, store }) => {
    const account = store.accounts.find(({ _id }) => _id === accountId)
    if (account === undefined) throw new CredentialsRejected()
    return toCurrentUser(account)
  })
}

/** Each account of the fixtures has a user of its own, with the same `_id`. */
const toCurrentUser = ({ _id, username, name, type }: Account): CurrentUser => ({
  user: { entity: { _id, defaultAccountId: _id } },
  accounts: [
    { entity: { _id, name: name ?? username, type: type ?? 'personal' }, isDefault: true },
  ],
})

const CURRENT_USER = {
  operationId: 'users-me',
  tags: ['session'],
  summary: 'Get the user and the accounts of the user',
  description: 'In this mock, a user has one account.',
  responses: () => responses(Success(CurrentUser), AUTH_ERRORS),
} satisfies OperationSchema
