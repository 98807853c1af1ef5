import type { AccountSummary } from '@materials-mock/api'
import { quote } from '@materials-mock/json'
import { BodyInvalid } from '../errors.js'
import type { Account } from '../store/sign-in/accounts.js'
import type { Store } from '../store/store.js'
import { defineOperation } from './control.js'

export const sessionOperations = [
  defineOperation('GET /accounts', 'accounts-list', 'List the accounts', {
    description:
      'The accounts of `accounts.json`, without tokens, and without passwords that differ from the username.',
    ignoresJobs: true,
    run: ({ sandbox }) => sandbox.store.accounts.map(toSummary),
  }),
  defineOperation('POST /sessions', 'sessions-open', 'Open a session without a password', {
    description:
      'Opens a session of the account with the username, or else of the first account. The session is like any other.',
    ignoresJobs: true,
    prepare: (request, _reply, done) => {
      request.body ??= {}
      done()
    },
    run: ({ body, sandbox: { store } }) => {
      const { _id, username } = findByUsername(store, body.username)
      return { 'X-Account-Id': _id, 'X-Auth-Token': store.sessions.open(_id), username }
    },
  }),
]

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
