import type { Sessions } from '../store/sign-in/sessions.js'

/** The headers of a request. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Returns the token of `Authorization: Bearer TOKEN` (RFC 6750, section 2.1), if there is one. */
export function parseBearerToken({ authorization }: RequestHeaders): string | undefined {
  if (typeof authorization !== 'string') return undefined
  return /^Bearer +(\S.*)$/i.exec(authorization)?.[1]
}

/**
 * Returns the account that a request names in `X-Account-Id`, whether or not its token is valid, or
 * else the account of its bearer token.
 */
export function findRequestAccountId(
  headers: RequestHeaders,
  sessions: Sessions,
): string | undefined {
  const id = headers['x-account-id']
  if (typeof id === 'string') return id
  const token = parseBearerToken(headers)
  return token === undefined ? undefined : sessions.findAccountId(token)
}
