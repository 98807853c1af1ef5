import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'

import { LoginRejected } from '../errors.js'
import { JSON_TYPE } from '../plugins/jsend.js'
import type { Credentials, Login } from '../schemas/credentials.js'
import { successText } from '../schemas/jsend.js'
import type { Store } from '../store/store.js'
import { loginOperation, logoutOperation } from './session-operations.js'

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

  app.post<{ Body: Login }>(
    '/login',
    { schema: loginOperation(loginEnvelope) },
    async ({ body }, reply) => {
      const account = store.findAccount(body.username, body.password)
      if (account === undefined) throw new LoginRejected()
      const text = JSON.stringify(credentialsOf(account._id, store.sessions.open(account._id)))
      return reply.type(JSON_TYPE).send(loginEnvelope === 'jsend' ? successText(text) : text)
    },
  )
}

/** `GET` and `POST /logout`: ends the session that asks. Behind the auth plugin. */
export async function logout(
  app: FastifyInstance,
  { store }: Pick<SessionOptions, 'store'>,
): Promise<void> {
  for (const method of ['GET', 'POST'] as const)
    app.route({
      method,
      url: '/logout',
      schema: logoutOperation(method),
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
