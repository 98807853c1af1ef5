import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import {
  AdminForbidden,
  BodyInvalid,
  BodyTooLarge,
  ContentTypeUnsupported,
  OidcRejected,
} from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import type { OperationSchema } from '../../http/openapi/responses.js'
import type { ResponseObject } from '../../http/openapi/responses.js'
import {
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  OidcFailure,
  TokenRequest,
  TokenResponse,
  toOidcFailureOf,
} from './oidc.js'
import { toOidcFailure } from './oidc-errors.js'
import { MAX_FORM_BYTES } from '../../http/max-form-bytes.js'

/** The errors that every request may get. */
const COMMON_ERRORS = [
  new AdminForbidden('/oidc must be requested by a page of a loopback origin, not "https://a.b"'),
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
    const { examples } = byStatus[error.statusCode]?.content['application/json'] ?? {}
    const failure = toOidcFailure(error)
    const all = { ...examples, [failure.error]: { value: failure } }
    byStatus[error.statusCode] = {
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
    schema: Type.String({ examples: ['no-store'] }),
  },
}

const toContent = (
  schema: TSchema,
  examples?: Readonly<Record<string, { readonly value: unknown }>>,
): ResponseObject['content'] => ({ 'application/json': { schema, ...(examples && { examples }) } })

/** The parts that both operations share. */
const COMMON = {
  tags: ['oidc'],
  security: [],
  consumes: ['application/x-www-form-urlencoded'],
} as const

/** `POST /oidc/device/auth` */
export const DEVICE_AUTHORIZATION = {
  ...COMMON,
  operationId: 'oidc-device-auth',
  summary: 'Ask for a device code',
  description:
    'The device authorization request of RFC 8628. The mock approves it at once, for one account.',
  body: DeviceAuthorizationRequest,
  responses: () =>
    oidcResponses(DeviceAuthorization, [
      new OidcRejected('access_denied', 'accounts.json has no account'),
    ]),
} satisfies OperationSchema

/** `POST /oidc/token` */
export const TOKEN = {
  ...COMMON,
  operationId: 'oidc-token',
  summary: 'Exchange a device code or a refresh token for an access token',
  description:
    'The access token is that of a new session. It is the bearer token of all other requests.',
  body: TokenRequest,
  responses: () =>
    oidcResponses(TokenResponse, [
      new OidcRejected('invalid_request', 'device_code is missing'),
      new OidcRejected(
        'unsupported_grant_type',
        'grant_type must be refresh_token, not "password"',
      ),
      new OidcRejected('invalid_grant', 'device_code must be one that this client has received'),
      new OidcRejected('expired_token', 'the device_code has expired; request another one'),
    ]),
} satisfies OperationSchema
