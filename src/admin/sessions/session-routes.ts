import type { FastifyInstance } from 'fastify'

import { BodyInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import type { Account } from '../../store/sign-in/account.js'
import type { AccountSummary, NewSession, OpenedSession } from './session.js'
import type { Store } from '../../store/store.js'
import { OPERATIONS } from '../operations.js'

/** Lists the accounts, and opens sessions without a password. */
export async function sessionRoutes(app: FastifyInstance): Promise<void> {
  app.get('/accounts', { schema: OPERATIONS.accounts }, async ({ sandbox }) =>
    sandbox.store.accounts.map(toSummary),
  )

  app.post<{ Body: NewSession }>(
    '/sessions',
    {
      schema: OPERATIONS.openSession,
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async ({ body, sandbox: { store } }): Promise<OpenedSession> => {
      const { _id, username } = findAccount(store, body.username)
      return { 'X-Account-Id': _id, 'X-Auth-Token': store.sessions.open(_id), username }
    },
  )
}

const toSummary = ({ _id, username, name, type }: Account): AccountSummary => ({
  _id,
  username,
  name: name ?? username,
  type: type ?? 'personal',
})

/** @throws BodyInvalid if there is no such account */
function findAccount({ accounts }: Store, username = accounts[0]?.username): Account {
  const account = accounts.find((each) => each.username === username)
  if (account !== undefined) return account
  throw new BodyInvalid(
    username === undefined
      ? 'there must be an account to open a session of; accounts.json has none'
      : `username must be that of an account, not ${quote(username)}`,
  )
}
