import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { AccountType } from '@materials-mock/api'
import { Text } from '@materials-mock/json'
import { CredentialsRejected } from '../errors.js'
import { Success } from '../http/envelope-schema.js'
import { AUTH_ERRORS, responses } from '../http/openapi/responses.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import type { Account } from '../store/sign-in/accounts.js'
import auth from './auth.js'

/** The user of a request, and the accounts that the user can work in: in this mock, one. */
const CurrentUser = Type.Object(
  {
    user: Type.Object({
      entity: Type.Object({
        _id: Text('oEb32zJWy27miFESb'),
        defaultAccountId: Text('oEb32zJWy27miFESb', 'The _id of the default account.'),
      }),
    }),
    accounts: Type.Array(
      Type.Object({
        entity: Type.Object({
          _id: Text('oEb32zJWy27miFESb'),
          name: Text('demo'),
          type: AccountType,
        }),
        isDefault: Type.Boolean({ examples: [true] }),
      }),
    ),
  },
  { $id: 'CurrentUser' },
)
type CurrentUser = Static<typeof CurrentUser>

/** The part of version v1 that clients of 2018-10-01 use: `GET /users/me`. */
export async function version1(app: FastifyInstance): Promise<void> {
  app.register(auth)

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
