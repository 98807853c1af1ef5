import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/**
 * The options of every command that talks to a deployment: who logs in there, or with which
 * credentials. Each is a flag or an environment variable (`MATERIALS_MOCK_PASSWORD`), so that a
 * command line need not show a secret.
 */
export const REMOTE_OPTIONS = {
  username: Type.Optional(
    Type.String({ minLength: 1, title: 'U', description: 'who logs in, with --password' }),
  ),
  password: Type.Optional(
    Type.String({ minLength: 1, title: 'P', description: 'the password of --username' }),
  ),
  accountId: Type.Optional(
    Type.String({
      minLength: 1,
      title: 'ID',
      description: 'account of --token, in place of a login',
    }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 1,
      title: 'T',
      description: 'token of a session or of the preferences; it is never logged out',
    }),
  ),
}

const RemoteOptions = Type.Object(REMOTE_OPTIONS)
/** The options above, and the deployment. */
export type RemoteOptions = Static<typeof RemoteOptions> & {
  /** The versioned root of the deployment, without a final slash. */
  readonly url: string
}
