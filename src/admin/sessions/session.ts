import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { AccountType } from '../../store/sign-in/account.js'
import { Credentials } from '../../store/sign-in/credentials.js'

/** An account as the controls list it: without its password and its tokens. */
export const AccountSummary = Type.Object(
  {
    _id: Type.String({ examples: ['oEb32zJWy27miFESb'] }),
    username: Type.String({ examples: ['demo'] }),
    name: Type.String({
      description: 'The name of the account, or else its username.',
      examples: ['demo'],
    }),
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
export type NewSession = Static<typeof NewSession>

/** A new session: the two credentials, as a login returns them, and the username. */
export const OpenedSession = Type.Object(
  { ...Credentials.properties, username: Type.String({ examples: ['demo'] }) },
  { $id: 'OpenedSession' },
)
export type OpenedSession = Static<typeof OpenedSession>
