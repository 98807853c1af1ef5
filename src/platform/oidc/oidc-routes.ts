import { randomInt } from 'node:crypto'

import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply } from 'fastify'

import { OidcRejected } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { JSON_TYPE } from '../../http/envelope.js'
import { MAX_FORM_BYTES } from '../../http/max-form-bytes.js'
import loopbackGuard from '../../http/loopback-guard.js'
import { toBaseUrl } from '../../http/request-scope.js'
import type { Account } from '../../store/sign-in/account.js'
import { DEVICE_GRANT } from './oidc.js'
import type {
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  TokenRequest,
  TokenResponse,
} from './oidc.js'
import type { GrantKind } from '../../store/sign-in/authorization-grants.js'
import type { Store } from '../../store/store.js'
import { sendOidcFailure } from './oidc-errors.js'
import { DEVICE_AUTHORIZATION, TOKEN } from './oidc-operations.js'

/** The options of the routes under `/oidc`. */
export interface OidcOptions {
  /** The `host` option of the server. */
  readonly host: string
  /** The account that signs in (default: the first one). */
  readonly username: string | undefined
  /** The time to live of a session, in seconds; undefined for sessions without end. */
  readonly sessionTtl: number | undefined
}

/** The time in which a device code can be exchanged, in seconds. */
const DEVICE_CODE_SECONDS = 600

/** The life of a token that a client is told if sessions have no end: clients expect some number. */
const TOKEN_SECONDS = 3600

/**
 * Signs a device in (RFC 8628) without asking anybody: the request is approved for one account. For
 * requests from this computer only, as it needs no password. Responses have no envelope.
 */
export async function oidcRoutes(app: FastifyInstance, options: OidcOptions): Promise<void> {
  const { host } = options
  app.register(loopbackGuard, { host, path: '/oidc' })
  app.setErrorHandler(sendOidcFailure)
  app.removeAllContentTypeParsers()
  app.register(formbody)

  app.post<{ Body: DeviceAuthorizationRequest }>(
    '/device/auth',
    { schema: DEVICE_AUTHORIZATION, bodyLimit: MAX_FORM_BYTES },
    async (request, reply) => {
      const { body, store } = request
      const { _id } = findAccount(store, options)
      const lifetime = DEVICE_CODE_SECONDS * 1000
      const code = store.grants.issue('device_code', _id, body.client_id, lifetime)
      return sendPlain(reply, toDeviceAuthorization(code, `${toBaseUrl(request)}/oidc/device`))
    },
  )

  app.post<{ Body: TokenRequest }>(
    '/token',
    { schema: TOKEN, bodyLimit: MAX_FORM_BYTES },
    async ({ body, store }, reply) => sendPlain(reply, exchangeGrant(body, store, options)),
  )

  app.get('/device', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-security-policy', "default-src 'none'")
      .type('text/html; charset=utf-8')
      .send(PAGE),
  )
}

/** The page that clients open for the user, who has nothing to do there. */
const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>materials-mock</title></head>
  <body><p>materials-mock has approved this device. You can close this page.</p></body>
</html>
`

/** Sends an object without the envelope. It has a secret, so nobody may store it. */
const sendPlain = (reply: FastifyReply, body: DeviceAuthorization | TokenResponse): FastifyReply =>
  reply.header('cache-control', 'no-store').type(JSON_TYPE).send(JSON.stringify(body))

/** @throws OidcRejected if there is no such account, as after a reload of the fixtures */
function findAccount({ accounts }: Store, { username }: OidcOptions): Account {
  const account =
    username === undefined ? accounts[0] : accounts.find((each) => each.username === username)
  if (account !== undefined) return account
  throw new OidcRejected(
    'access_denied',
    username === undefined
      ? 'accounts.json has no account'
      : `accounts.json has no account with the username ${quote(username)}`,
  )
}

function toDeviceAuthorization(code: string, uri: string): DeviceAuthorization {
  const userCode = createUserCode()
  return {
    device_code: code,
    user_code: userCode,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${userCode}`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: 1,
  }
}

/** Consonants, which spell no word (RFC 8628, section 6.1). */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const createUserCode = (): string =>
  Array.from({ length: 8 }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)])
    .join('')
    .replace(/^.{4}/, '$&-')

const GRANT_KINDS: ReadonlyMap<string, GrantKind> = new Map([
  [DEVICE_GRANT, 'device_code'],
  ['refresh_token', 'refresh_token'],
])

/** @throws OidcRejected */
function exchangeGrant(
  body: TokenRequest,
  store: Store,
  { sessionTtl }: OidcOptions,
): TokenResponse {
  const { grant_type: grantType, client_id: clientId } = body
  const kind = GRANT_KINDS.get(grantType)
  if (kind === undefined) {
    throw new OidcRejected(
      'unsupported_grant_type',
      `grant_type must be ${[...GRANT_KINDS.keys()].join(' or ')}, not ${quote(grantType)}`,
    )
  }
  const code = body[kind]
  if (code === undefined) throw new OidcRejected('invalid_request', `${kind} is missing`)
  const accountId = store.grants.redeem(kind, code, clientId)
  if (!store.accounts.some(({ _id }) => _id === accountId))
    throw new OidcRejected('invalid_grant', `the account of the ${kind} has been removed`)
  return {
    access_token: store.sessions.open(accountId),
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor(sessionTtl ?? TOKEN_SECONDS)),
    refresh_token: store.grants.issue('refresh_token', accountId, clientId),
  }
}
