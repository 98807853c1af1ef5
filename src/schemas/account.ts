import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** One entry of `accounts.json`: who can log in. Never served. Unknown fields pass. */
export const Account = Type.Object({
  _id: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  password: Type.String({ minLength: 1 }),
  slug: Type.Optional(Type.String()),
  tokens: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Tokens made in the account preferences: they work without a login',
    }),
  ),
})
export type Account = Static<typeof Account>
