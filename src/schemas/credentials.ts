import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** What a login is asked with, form-encoded. */
export const Login = Type.Object(
  {
    username: Type.String({ minLength: 1, examples: ['demo'] }),
    password: Type.String({ minLength: 1, examples: ['demo'] }),
  },
  { $id: 'Login', additionalProperties: false },
)
export type Login = Static<typeof Login>

/** The two credential fields: what a login answers, and the names of the headers. */
export const Credentials = Type.Object(
  {
    'X-Account-Id': Type.String({ description: "The account's _id" }),
    'X-Auth-Token': Type.String({ description: "The session's token, or a preferences token" }),
  },
  { $id: 'Credentials' },
)
export type Credentials = Static<typeof Credentials>
