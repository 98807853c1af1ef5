import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'

/** The grant type of a device code (RFC 8628, section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const ClientId = Type.String({
  minLength: 1,
  maxLength: 1000,
  expected: 'a text of 1 to 1000 characters',
  description: 'The name of the client. Any name is accepted.',
  examples: ['cli-device-client'],
})

/**
 * The body of a device authorization request (RFC 8628, section 3.1). Unknown fields have no effect
 * (RFC 6749, section 3.2).
 */
export const DeviceAuthorizationRequest = Type.Object(
  {
    client_id: ClientId,
    scope: Type.Optional(Type.String({ examples: ['openid profile email'] })),
  },
  { $id: 'DeviceAuthorizationRequest', additionalProperties: true },
)
export type DeviceAuthorizationRequest = Static<typeof DeviceAuthorizationRequest>

/** The response to a device authorization request (RFC 8628, section 3.2). */
export const DeviceAuthorization = Type.Object(
  {
    device_code: Type.String({ description: 'The code that the client exchanges for a token.' }),
    user_code: Type.String({ examples: ['BCDF-GHJK'] }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer({ description: 'In seconds.', examples: [600] }),
    interval: Type.Integer({ description: 'The seconds between two polls.', examples: [1] }),
  },
  { $id: 'DeviceAuthorization' },
)
export type DeviceAuthorization = Static<typeof DeviceAuthorization>

/** The body of a token request (RFC 8628, section 3.4; RFC 6749, section 6). */
export const TokenRequest = Type.Object(
  {
    grant_type: Type.String({
      description: `${DEVICE_GRANT}, or refresh_token.`,
      examples: [DEVICE_GRANT],
    }),
    client_id: ClientId,
    device_code: Type.Optional(Type.String({ description: 'For the grant of a device code.' })),
    refresh_token: Type.Optional(Type.String({ description: 'For the grant refresh_token.' })),
  },
  { $id: 'TokenRequest', additionalProperties: true },
)
export type TokenRequest = Static<typeof TokenRequest>

/** The response to a token request (RFC 6749, section 5.1). */
export const TokenResponse = Type.Object(
  {
    access_token: Type.String({ description: 'The token of a new session.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ minimum: 1, description: 'In seconds.', examples: [3600] }),
    refresh_token: Type.String({ description: 'It can be exchanged for another token, once.' }),
  },
  { $id: 'TokenResponse' },
)
export type TokenResponse = Static<typeof TokenResponse>

/** The body of a failure under `/oidc` (RFC 6749, section 5.2; RFC 8628, section 3.5). */
export const OidcFailure = Type.Object(
  {
    error: Type.String({ examples: ['invalid_grant'] }),
    error_description: Type.String(),
  },
  { $id: 'OidcFailure', description: 'A failure as RFC 6749 defines it, without an envelope' },
)
export type OidcFailure = Static<typeof OidcFailure>

/** Returns the schema of a failure with one of some names. */
export const toOidcFailureOf = (names: readonly string[]): TSchema =>
  Type.Object(
    { ...OidcFailure.properties, error: Type.Unsafe<string>({ type: 'string', enum: names }) },
    { description: names.join(', ') },
  )
