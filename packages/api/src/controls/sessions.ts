import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum, Text } from '@materials-mock/json'

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

export const ACCOUNT_TYPES = ['personal', 'organization', 'enterprise'] as const

export const AccountType = StringEnum(ACCOUNT_TYPES, { examples: ['personal'] })

/** An account as the controls list it: without its tokens, and without a password that is a secret. */
export const AccountSummary = Type.Object(
  {
    _id: Text('oEb32zJWy27miFESb'),
    username: Text('demo'),
    password: Type.Optional(Text('demo', 'The password, if it is the username.')),
    name: Text('demo', 'The name of the account, or its username if it has no name.'),
    type: AccountType,
  },
  { $id: 'AccountSummary' },
)
export type AccountSummary = Static<typeof AccountSummary>

/** The body of a request for a session without a password. */
export const NewSession = Type.Object(
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
export const OpenedSession = Type.Object(
  { ...Credentials.properties, username: Text('demo') },
  { $id: 'OpenedSession' },
)
export type OpenedSession = Static<typeof OpenedSession>
