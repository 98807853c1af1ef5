import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'

import { StringEnum, Text } from '@materials-mock/json'
import { ACCOUNT_TYPES } from '../store/sign-in/accounts.js'

/** The two credentials. A login returns them, and other requests send them as headers. */
export const Credentials = Type.Object(
  {
    'X-Account-Id': Text('oEb32zJWy27miFESb', 'The _id of the account.'),
    'X-Auth-Token': Text(
      'Example-token',
      'The token of the session, or a token from the account preferences.',
    ),
  },
  { $id: 'Credentials' },
)
export type Credentials = Static<typeof Credentials>

export const AccountType = StringEnum(ACCOUNT_TYPES, { examples: ['personal'] })

export function authenticate(request: FastifyRequest): void {
  const { headers, store } = request
  const { 'x-account-id': id, 'x-auth-token': token } = headers
  if (typeof id === 'string') request.accountId = id
  if (id === undefined && token === undefined) {
    const bearer = store.isStrict ? undefined : parseBearerToken(headers)
    if (bearer === undefined) return
    const accountId = store.sessions.findAccountId(bearer)
    request.token = bearer
    request.accountId = accountId ?? ''
    request.isSignedIn = accountId !== undefined
  } else if (typeof token === 'string') {
    request.token = token
    request.isSignedIn = typeof id === 'string' && store.sessions.isValid(id, token)
  }
}

/** Returns the token of `Authorization: Bearer TOKEN` (RFC 6750, section 2.1), if there is one. */
export const parseBearerToken = ({
  authorization,
}: Readonly<Record<string, string | string[] | undefined>>): string | undefined =>
  typeof authorization === 'string' ? /^Bearer +(\S.*)$/i.exec(authorization)?.[1] : undefined
