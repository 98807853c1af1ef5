import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** An account that can log in: one entry of `accounts.json`. No route sends it. */
export const Account = Type.Object({
  _id: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  password: Type.String({ minLength: 1 }),
  slug: Type.Optional(Type.String()),
  tokens: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Tokens from the account preferences. They are valid without a login.',
    }),
  ),
})
export type Account = Static<typeof Account>
