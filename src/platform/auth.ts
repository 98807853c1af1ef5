import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { parseBearerToken } from '../http/request-account.js'
import type { RequestHeaders } from '../http/request-account.js'
import { CredentialsRejected } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import type { Sessions } from '../store/sign-in/sessions.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The `_id` of the authenticated account. Empty outside the scope of the auth plugin. */
    accountId: string
    /** The token of the authenticated session. */
    token: string
  }
}

/** Rejects requests without the credentials of an open session, in the scope that registers it. */
async function auth(app: FastifyInstance): Promise<void> {
  app.decorateRequest('accountId', '')
  app.decorateRequest('token', '')
  app.addHook('onRequest', (request, _reply, done) => {
    done(authenticate(request))
  })
}

export default fp(auth, { name: 'auth', dependencies: ['sandbox'] })

function authenticate(request: FastifyRequest): CatalogueError | undefined {
  const { headers, sandbox } = request
  const { sessions } = sandbox.store
  const credentials =
    headers['x-account-id'] === undefined && headers['x-auth-token'] === undefined
      ? readBearer(headers, sessions)
      : readHeaders(headers, sessions)
  if (credentials === undefined) return new CredentialsRejected()
  request.accountId = credentials.accountId
  request.token = credentials.token
  return undefined
}

type Credentials = Pick<FastifyRequest, 'accountId' | 'token'>

function readHeaders(headers: RequestHeaders, sessions: Sessions): Credentials | undefined {
  const { 'x-account-id': accountId, 'x-auth-token': token } = headers
  if (typeof accountId !== 'string' || typeof token !== 'string') return undefined
  return sessions.isValid(accountId, token) ? { accountId, token } : undefined
}

/** Reads a bearer token, which stands in place of the two headers. */
function readBearer(headers: RequestHeaders, sessions: Sessions): Credentials | undefined {
  const token = parseBearerToken(headers)
  const accountId = token === undefined ? undefined : sessions.findAccountId(token)
  return token === undefined || accountId === undefined ? undefined : { accountId, token }
}
