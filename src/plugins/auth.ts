import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { CredentialsRejected } from '../errors.js'
import type { Sessions } from '../store/sessions.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The `_id` of the account that asks; behind `plugins/auth.ts` alone. */
    accountId: string
    /** The token that it asks with. */
    token: string
  }
}

/** What the auth plugin is registered with. */
export interface AuthOptions {
  readonly sessions: Sessions
}

/** Lets only requests with the credentials of an open session into the scope that registers it. */
async function auth(app: FastifyInstance, { sessions }: AuthOptions): Promise<void> {
  app.decorateRequest('accountId', '')
  app.decorateRequest('token', '')
  app.addHook('onRequest', (request, _reply, done) => {
    done(admit(request, sessions))
  })
}

export default fp(auth, { name: 'auth' })

function admit(request: FastifyRequest, sessions: Sessions): Error | undefined {
  const { 'x-account-id': accountId, 'x-auth-token': token } = request.headers
  if (typeof accountId !== 'string' || typeof token !== 'string') return new CredentialsRejected()
  if (!sessions.isOpen(accountId, token)) return new CredentialsRejected()
  request.accountId = accountId
  request.token = token
  return undefined
}
