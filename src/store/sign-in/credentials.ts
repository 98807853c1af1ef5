import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** The body of a login, form-encoded. */
export const Login = Type.Object(
  {
    username: Type.String({ minLength: 1, examples: ['demo'] }),
    password: Type.String({ minLength: 1, examples: ['demo'] }),
  },
  { $id: 'Login', additionalProperties: false },
)
export type Login = Static<typeof Login>

/** The two credentials. A login returns them, and other requests send them as headers. */
export const Credentials = Type.Object(
  {
    'X-Account-Id': Type.String({
      description: 'The _id of the account.',
      examples: ['oEb32zJWy27miFESb'],
    }),
    'X-Auth-Token': Type.String({
      description: 'The token of the session, or a token from the account preferences.',
      examples: ['Example-token'],
    }),
  },
  { $id: 'Credentials' },
)
export type Credentials = Static<typeof Credentials>

/** The response to a logout. */
export const LogoutMessage = Type.Object({
  message: Type.String({ examples: ['You are successfully logged out'] }),
})
