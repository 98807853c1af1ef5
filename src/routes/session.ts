import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'

import { LoginRejected } from '../errors.js'
import { JSON_TYPE } from '../plugins/jsend.js'
import { Login } from '../schemas/credentials.js'
import type { Credentials } from '../schemas/credentials.js'
import { successText } from '../schemas/jsend.js'
import type { Store } from '../store/store.js'

/** What the login and logout routes are registered with. */
export interface SessionOptions {
  readonly store: Store
  /** `flat` answers a login with the two fields alone, as the platform documents; `jsend` wraps them. */
  readonly loginEnvelope: 'flat' | 'jsend'
}

/** `POST /login`: a session of its own for a username and password that came form-encoded. */
export async function login(app: FastifyInstance, options: SessionOptions): Promise<void> {
  const { store, loginEnvelope } = options
  app.removeAllContentTypeParsers()
  app.register(formbody)

  app.post<{ Body: Login }>('/login', { schema: { body: Login } }, async ({ body }, reply) => {
    const account = store.findAccount(body.username, body.password)
    if (account === undefined) throw new LoginRejected()
    const text = JSON.stringify(credentialsOf(account._id, store.sessions.open(account._id)))
    return reply.type(JSON_TYPE).send(loginEnvelope === 'jsend' ? successText(text) : text)
  })
}

/** `GET` and `POST /logout`: ends the session that asks. Behind the auth plugin. */
export async function logout(
  app: FastifyInstance,
  { store }: Pick<SessionOptions, 'store'>,
): Promise<void> {
  app.route({
    method: ['GET', 'POST'],
    url: '/logout',
    handler: async ({ token }) => {
      store.sessions.close(token)
      return {}
    },
  })
}

const credentialsOf = (accountId: string, token: string): Credentials => ({
  'X-Account-Id': accountId,
  'X-Auth-Token': token,
})
