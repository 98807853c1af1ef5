import { randomInt } from 'node:crypto'

import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { OptionalText, Text, quote } from '@materials-mock/json'
import {
  BodyInvalid,
  BodyTooLarge,
  ContentTypeUnsupported,
  OidcRejected,
  OptionsInvalid,
} from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { JSON_TYPE, toCatalogueError } from '../http/envelope.js'
import { CALLER_FORBIDDEN_EXAMPLE } from '../http/callers.js'
import type { OperationSchema, ResponseObject } from '../http/openapi/responses.js'
import { MAX_FORM_BYTES, parseForms } from '../http/form-body.js'
import { toBaseUrl } from '../http/base-url.js'
import { getStatusCode } from '../http/status-codes.js'
import type { Account } from '../store/sign-in/accounts.js'
import type { GrantKind } from '../store/sign-in/authorization-grants.js'
import type { Store } from '../store/store.js'

/** The grant type of a device code (RFC 8628, section 3.4). */
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const ClientId = Type.String({
  minLength: 1,
  maxLength: 1000,
  expected: 'a text of 1 to 1000 characters',
  description: 'The name of the client. Any name is accepted.',
  examples: ['cli-device-client'],
})

/** RFC 8628, section 3.1. Unknown fields have no effect (RFC 6749, section 3.2). */
const DeviceAuthorizationRequest = Type.Object(
  {
    client_id: ClientId,
    scope: OptionalText('openid profile email'),
  },
  { $id: 'DeviceAuthorizationRequest', additionalProperties: true },
)
type DeviceAuthorizationRequest = Static<typeof DeviceAuthorizationRequest>

/** The response to a device authorization request (RFC 8628, section 3.2). */
const DeviceAuthorization = Type.Object(
  {
    device_code: Text('Example-device-code', 'The code that the client exchanges for a token.'),
    user_code: Text('BCDF-GHJK'),
    verification_uri: Type.String({ examples: ['http://127.0.0.1:4000/oidc/device'] }),
    verification_uri_complete: Type.String({
      examples: ['http://127.0.0.1:4000/oidc/device?user_code=BCDF-GHJK'],
    }),
    expires_in: Type.Integer({ description: 'In seconds.', examples: [600] }),
    interval: Type.Integer({ description: 'The seconds between two polls.', examples: [1] }),
  },
  { $id: 'DeviceAuthorization' },
)
type DeviceAuthorization = Static<typeof DeviceAuthorization>

/** The body of a token request (RFC 8628, section 3.4; RFC 6749, section 6). */
const TokenRequest = Type.Object(
  {
    grant_type: Text(DEVICE_GRANT, `${DEVICE_GRANT}, or refresh_token.`),
    client_id: ClientId,
    device_code: Type.Optional(
      Type.String({ description: 'Required for the grant of a device code.' }),
    ),
    refresh_token: Type.Optional(
      Type.String({ description: 'Required for the grant refresh_token.' }),
    ),
  },
  { $id: 'TokenRequest', additionalProperties: true },
)
type TokenRequest = Static<typeof TokenRequest>

/** The response to a token request (RFC 6749, section 5.1). */
const TokenResponse = Type.Object(
  {
    access_token: Text('Example-access-token', 'The token of a new session.'),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ minimum: 1, description: 'In seconds.', examples: [3600] }),
    refresh_token: Text(
      'Example-refresh-token',
      'A token that can be exchanged for another access token, once.',
    ),
  },
  { $id: 'TokenResponse' },
)
type TokenResponse = Static<typeof TokenResponse>

/** The body of a failure under `/oidc` (RFC 6749, section 5.2; RFC 8628, section 3.5). */
const OidcFailure = Type.Object(
  {
    error: Text('invalid_grant'),
    error_description: Type.String(),
  },
  { $id: 'OidcFailure', description: 'A failure as RFC 6749 defines it, without an envelope' },
)
type OidcFailure = Static<typeof OidcFailure>

const toOidcFailureOf = (names: readonly string[]): TSchema =>
  Type.Object(
    { ...OidcFailure.properties, error: Type.Unsafe<string>({ type: 'string', enum: names }) },
    { description: names.join(', ') },
  )

/**
 * Converts an error to the body of a failure, which has no envelope (RFC 6749, section 5.2; RFC 8628, section 3.5).
 */
function toOidcFailure(known: CatalogueError): OidcFailure {
  const { code, message } = known
  const error = known instanceof OidcRejected ? known.error : (NAMES[code] ?? 'invalid_request')
  return { error, error_description: message }
}

/** The `error` of RFC 6749 for the codes of errors that other paths have too. */
const NAMES: Readonly<Record<string, string>> = {
  CALLER_FORBIDDEN: 'access_denied',
  INTERNAL_ERROR: 'server_error',
}

function sendOidcFailure(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toCatalogueError(error, request)
  return sendPlain(reply.code(getStatusCode(known)), toOidcFailure(known))
}

const COMMON_ERRORS = [
  CALLER_FORBIDDEN_EXAMPLE,
  new BodyInvalid('client_id is missing'),
  new BodyTooLarge(MAX_FORM_BYTES),
  new ContentTypeUnsupported('text/plain', 'application/x-www-form-urlencoded'),
]

/** The responses of an operation: none has an envelope, and none may be stored (RFC 6749, 5.1). */
function oidcResponses(
  success: TSchema,
  errors: Iterable<CatalogueError>,
): Readonly<Record<string, ResponseObject>> {
  const byStatus: Record<string, ResponseObject> = {
    200: { description: 'Success', headers: HEADERS, content: toContent(success) },
  }
  for (const error of [...COMMON_ERRORS, ...errors]) {
    const status = getStatusCode(error)
    const { examples } = byStatus[status]?.content['application/json'] ?? {}
    const failure = toOidcFailure(error)
    const all = { ...examples, [failure.error]: { value: failure } }
    byStatus[status] = {
      description: Object.keys(all).join(', '),
      headers: HEADERS,
      content: toContent(toOidcFailureOf(Object.keys(all)), all),
    }
  }
  const other = { description: 'Any other failure', content: toContent(OidcFailure) }
  return { ...byStatus, default: other }
}

const HEADERS = {
  'Cache-Control': {
    description: 'no-store: a token must not be cached',
    schema: Text('no-store'),
  },
}

const toContent = (
  schema: TSchema,
  examples?: Readonly<Record<string, { readonly value: unknown }>>,
): ResponseObject['content'] => ({ 'application/json': { schema, ...(examples && { examples }) } })

const COMMON = {
  tags: ['oidc'],
  security: [],
  consumes: ['application/x-www-form-urlencoded'],
} as const

const DEVICE_AUTHORIZATION = {
  ...COMMON,
  operationId: 'oidc-device-auth',
  summary: 'Ask for a device code',
  description:
    'The device authorization request of RFC 8628. The mock approves it at once, for one account.',
  body: DeviceAuthorizationRequest,
  responses: () =>
    oidcResponses(DeviceAuthorization, [
      new OidcRejected('access_denied', 'accounts.json has no account; add one'),
    ]),
} satisfies OperationSchema

const TOKEN = {
  ...COMMON,
  operationId: 'oidc-token',
  summary: 'Exchange a device code or a refresh token for an access token',
  description:
    'The access token belongs to a new session. Send it as the bearer token of all other requests.',
  body: TokenRequest,
  responses: () =>
    oidcResponses(TokenResponse, [
      new OidcRejected('invalid_request', 'device_code is missing'),
      new OidcRejected(
        'unsupported_grant_type',
        'grant_type must be refresh_token, not "password"',
      ),
      new OidcRejected(
        'invalid_grant',
        'device_code must be a value that this client has received',
      ),
      new OidcRejected('expired_token', 'the device_code has expired; request another one'),
    ]),
} satisfies OperationSchema

export interface OidcOptions {
  /** The username of the account that signs in (default: the first account). */
  readonly username: string | undefined
  /** The time to live of a session, in seconds; undefined for sessions without end. */
  readonly sessionTtl: number | undefined
}

/** The time in which a device code can be exchanged, in seconds. */
const DEVICE_CODE_SECONDS = 600

/** The `expires_in` of a token if sessions do not expire, in seconds. Clients expect a number. */
const TOKEN_SECONDS = 3600

/** RFC 8628. Approves every request for one account, so only requests from this computer. */
export async function oidcRoutes(app: FastifyInstance, options: OidcOptions): Promise<void> {
  app.setErrorHandler(sendOidcFailure)
  parseForms(app)

  app.post<{ Body: DeviceAuthorizationRequest }>(
    '/device/auth',
    { schema: DEVICE_AUTHORIZATION, bodyLimit: MAX_FORM_BYTES },
    async (request, reply) => {
      const { body, store } = request
      const { _id } = findOidcAccount(store, options)
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

/** The page that clients open. The user has nothing to do there. */
const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>materials-mock</title></head>
  <body><p>materials-mock has approved this device. You can close this page.</p></body>
</html>
`

/** Sends an object without the envelope. It may have a secret, so caches may not store it. */
const sendPlain = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header('cache-control', 'no-store').type(JSON_TYPE).send(JSON.stringify(body))

/** @throws OidcRejected if the account does not exist, for example after a reload of the fixtures */
function findOidcAccount({ accounts }: Store, { username }: OidcOptions): Account {
  const account =
    username === undefined ? accounts[0] : accounts.find((each) => each.username === username)
  if (account !== undefined) return account
  throw new OidcRejected(
    'access_denied',
    username === undefined
      ? 'accounts.json has no account; add one'
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

/** Consonants, so that no code is a word (RFC 8628, section 6.1). */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const createUserCode = (): string =>
  Array.from({ length: 8 }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)])
    .join('')
    .replace(/^.{4}/, '$&-')

const GRANT_KINDS: ReadonlyMap<string, GrantKind> = new Map([
  [DEVICE_GRANT, 'device_code'],
  ['refresh_token', 'refresh_token'],
])

/** @throws OidcRejected, and BoundExceeded if the memory is full: the grant remains valid then */
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
  store.checkHeap()
  const grant = store.grants.redeem(kind, code, clientId)
  if (grant === undefined) {
    const description = `${kind} must be a value that this client has received and not used`
    throw new OidcRejected('invalid_grant', description)
  }
  const { accountId, isExpired } = grant
  if (isExpired)
    throw new OidcRejected('expired_token', `the ${kind} has expired; request another one`)
  if (!store.accounts.some(({ _id }) => _id === accountId))
    throw new OidcRejected('invalid_grant', `the account of the ${kind} has been removed`)
  return {
    access_token: store.sessions.open(accountId),
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor(sessionTtl ?? TOKEN_SECONDS)),
    refresh_token: store.grants.issue('refresh_token', accountId, clientId),
  }
}

/** @throws OptionsInvalid for a username that no account has */
export function checkOidcAccount(
  oidcAccount: string | undefined,
  accounts: readonly Account[],
): void {
  if (oidcAccount === undefined || accounts.some(({ username }) => username === oidcAccount)) return
  const usernames = accounts.map(({ username }) => quote(username)).join(', ')
  throw new OptionsInvalid(
    `--oidc-account must be the username of an account (${usernames}), not ${quote(oidcAccount)}`,
  )
}
