import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { CredentialsRejected } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import type { Sessions } from '../store/sessions.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The `_id` of the authenticated account. Empty outside the scope of the auth plugin. */
    accountId: string
    /** The token of the authenticated session. */
    token: string
  }
}

/** The options of the auth plugin. */
export interface AuthOptions {
  readonly sessions: Sessions
}

/** Rejects requests without the credentials of an open session, in the scope that registers it. */
async function auth(app: FastifyInstance, { sessions }: AuthOptions): Promise<void> {
  app.decorateRequest('accountId', '')
  app.decorateRequest('token', '')
  app.addHook('onRequest', (request, _reply, done) => {
    done(authenticate(request, sessions))
  })
}

export default fp(auth, { name: 'auth' })

function authenticate(request: FastifyRequest, sessions: Sessions): CatalogueError | undefined {
  const { 'x-account-id': accountId, 'x-auth-token': token } = request.headers
  if (typeof accountId !== 'string' || typeof token !== 'string') return new CredentialsRejected()
  if (!sessions.isValid(accountId, token)) return new CredentialsRejected()
  request.accountId = accountId
  request.token = token
  return undefined
}
