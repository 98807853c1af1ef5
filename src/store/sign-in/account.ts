import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum } from '../../json/string-enum.js'

/**
 * The value of a header: characters up to U+00FF, none of them a control character but the tab, and
 * no white space at the ends (RFC 9110, section 5.5). A client could not send any other. Most servers and
 * proxies have a limit on the length.
 */
const HeaderValue = Type.String({
  maxLength: 4096,
  pattern: '^[\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*[\\x21-\\x7e\\x80-\\xff])?$',
  expected:
    'text that a header can have: at most 4096 characters of ASCII or Latin-1 without control characters, and without white space at the ends',
})

/** What an account stands for. */
export const AccountType = StringEnum(['personal', 'organization', 'enterprise'])

/** An account that can log in: one entry of `accounts.json`. No route sends it. */
export const Account = Type.Object(
  {
    _id: HeaderValue,
    username: Type.String({ minLength: 1 }),
    password: Type.String({ minLength: 1 }),
    slug: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ minLength: 1 })),
    type: Type.Optional(AccountType),
    tokens: Type.Optional(
      Type.Array(HeaderValue, {
        description: 'Tokens from the account preferences. They are valid without a login.',
      }),
    ),
  },
  { $id: 'Account' },
)
export type Account = Static<typeof Account>
