import type { FastifyRequest } from 'fastify'

export function authenticate(request: FastifyRequest): void {
  const { headers, store } = request
  const { 'x-account-id': id, 'x-auth-token': token } = headers
  if (typeof id === 'string') request.accountId = id
  if (id === undefined && token === undefined) {
    const bearer = store.isStrict ? undefined : parseBearerToken(headers)
    if (bearer === undefined) return
    const accountId = store.sessions.findAccountId(bearer)
    request.token = bearer
    request.accountId = accountId ?? ''
    request.isSignedIn = accountId !== undefined
  } else if (typeof token === 'string') {
    request.token = token
    request.isSignedIn = typeof id === 'string' && store.sessions.isValid(id, token)
  }
}

/** Returns the token of `Authorization: Bearer TOKEN` (RFC 6750, section 2.1), if there is one. */
export const parseBearerToken = ({
  authorization,
}: Readonly<Record<string, string | string[] | undefined>>): string | undefined =>
  typeof authorization === 'string' ? /^Bearer +(\S.*)$/i.exec(authorization)?.[1] : undefined
