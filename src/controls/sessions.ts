import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Text, quote } from '@materials-mock/json'
import { BodyInvalid } from '../errors.js'
import { AccountType, Credentials } from '../http/credentials.js'
import type { Account } from '../store/sign-in/accounts.js'
import type { Store } from '../store/store.js'
import { defineOperation } from './control.js'

/** An account as the controls list it: without its tokens, and without a password that is a secret. */
const AccountSummary = Type.Object(
  {
    _id: Text('oEb32zJWy27miFESb'),
    username: Text('demo'),
    password: Type.Optional(Text('demo', 'The password, if it is the username.')),
    name: Text('demo', 'The name of the account, or its username if it has no name.'),
    type: AccountType,
  },
  { $id: 'AccountSummary' },
)
type AccountSummary = Static<typeof AccountSummary>

/** The body of a request for a session without a password. */
const NewSession = Type.Object(
  {
    username: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The username of the account (default: the first account of accounts.json).',
        examples: ['demo'],
      }),
    ),
  },
  { $id: 'NewSession', additionalProperties: false, default: {} },
)

/** A new session: the two credentials, as a login returns them, and the username. */
const OpenedSession = Type.Object(
  { ...Credentials.properties, username: Text('demo') },
  { $id: 'OpenedSession' },
)
type OpenedSession = Static<typeof OpenedSession>

export const sessionOperations = [
  defineOperation('GET /accounts', 'accounts-list', 'List the accounts', {
    description:
      'The accounts of `accounts.json`, without tokens, and without passwords that differ from the username.',
    success: Type.Array(AccountSummary),
    ignoresJobs: true,
    run: ({ sandbox }) => sandbox.store.accounts.map(toSummary),
  }),
  defineOperation('POST /sessions', 'sessions-open', 'Open a session without a password', {
    description:
      'Opens a session of the account with the username, or else of the first account. The session is like any other.',
    body: NewSession,
    success: OpenedSession,
    ignoresJobs: true,
    prepare: (request, _reply, done) => {
      request.body ??= {}
      done()
    },
    run: ({ body, sandbox: { store } }): OpenedSession => {
      const { _id, username } = findByUsername(store, body.username)
      return { 'X-Account-Id': _id, 'X-Auth-Token': store.sessions.open(_id), username }
    },
  }),
] as const

const toSummary = ({ _id, username, password, name, type }: Account): AccountSummary => ({
  _id,
  username,
  ...(password === username && { password }),
  name: name ?? username,
  type: type ?? 'personal',
})

/** @throws BodyInvalid if no account has the username */
function findByUsername({ accounts }: Store, username = accounts[0]?.username): Account {
  const account = accounts.find((each) => each.username === username)
  if (account !== undefined) return account
  throw new BodyInvalid(
    username === undefined
      ? 'accounts.json must have an account, to open a session of it'
      : `username must be the username of an account, not ${quote(username)}`,
  )
}
