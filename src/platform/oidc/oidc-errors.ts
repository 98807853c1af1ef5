import type { FastifyReply, FastifyRequest } from 'fastify'

import { InternalError, OidcRejected } from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { JSON_TYPE, toCatalogueError } from '../../http/envelope.js'
import type { OidcFailure } from './oidc.js'

/**
 * Converts an error to the body of a failure, which has no envelope (RFC 6749, section 5.2; RFC 8628,
 * section 3.5).
 */
export function toOidcFailure(known: CatalogueError): OidcFailure {
  const { code, message } = known
  const error = known instanceof OidcRejected ? known.error : (NAMES[code] ?? 'invalid_request')
  return { error, error_description: message }
}

/** The `error` by the code of an error that other paths have too. */
const NAMES: Readonly<Record<string, string>> = {
  ADMIN_FORBIDDEN: 'access_denied',
  INTERNAL_ERROR: 'server_error',
}

/** Sends an error as RFC 6749 defines it. Logs an error that is not in the catalogue. */
export function sendOidcFailure(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toCatalogueError(error, request)
  if (known instanceof InternalError) request.log.error(error)
  return reply
    .code(known.statusCode)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(JSON.stringify(toOidcFailure(known)))
}
