import type { IncomingMessage } from 'node:http'

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { asError } from '@materials-mock/json'
import {
  BodyTooLarge,
  CatalogueError,
  ContentTypeUnsupported,
  InternalError,
  RequestMalformed,
} from '../errors.js'
import { toFailure } from './envelope-schema.js'
import { CUT_OFF } from './read-body.js'
import { getStatusCode } from './status-codes.js'

/** The content type of every response of the API. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The header with the status of a failure that the page receives with 200. */
const STATUS_HEADER = 'x-mock-status'

/** Puts what handlers return into the success envelope, and errors into the failure envelope. */
async function jsend(app: FastifyInstance): Promise<void> {
  app.addHook('preSerialization', async (_request, _reply, payload) => ({
    status: 'success',
    data: payload,
  }))
  app.setErrorHandler(sendFailure)
}

export default fp(jsend, { name: 'jsend' })

/**
 * Reads and drops the rest of the body: Fastify would close the connection, and a connection that
 * is closed with unread bytes is reset before the client has read the response.
 */
export function sendFailure(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toCatalogueError(error, request)
  if (isBodyIncomplete(request.raw)) {
    request.raw.resume()
    reply.removeHeader('connection')
  }
  return setFailureStatus(request, reply, getStatusCode(known))
    .type(JSON_TYPE)
    .send(failureText(known))
}

/**
 * Sets the status of a failure. The page gets 200 and the status in a header: a browser writes each response with 4xx
 * or 5xx to its console, also the expected response to a query that is still being typed.
 */
export const setFailureStatus = (
  { pageMark }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply =>
  pageMark === undefined ? reply.code(status) : reply.code(200).header(STATUS_HEADER, status)

/** Returns the status of a response, also of a failure that the page receives with 200. */
export const readStatus = (reply: FastifyReply): number =>
  reply.request.pageMark === undefined
    ? reply.statusCode
    : Number(reply.getHeader(STATUS_HEADER) ?? reply.statusCode)

const isBodyIncomplete = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined

export const failureText = (error: CatalogueError): string => JSON.stringify(toFailure(error))

/** Returns the error for a request target that is not a path, has a fragment, or can't be decoded. */
export function badTarget(target: string): CatalogueError {
  if (target.includes('#'))
    return new RequestMalformed(`the request must be for a path without a "#", not ${target}`)
  return new RequestMalformed(
    target.includes('%')
      ? `the path ${target} has a "%" that is not followed by two hex digits of UTF-8`
      : `the request must be for a path such as /api, or a URL with a host, not ${target}`,
  )
}

/** Any other error than Fastify's and a connection's is logged, and becomes an InternalError. */
export function toCatalogueError(
  error: FastifyError | Error,
  request: FastifyRequest,
): CatalogueError {
  if (error instanceof CatalogueError) return error
  switch (asError(error).code) {
    case 'FST_ERR_BAD_URL':
      return badTarget(request.raw.url ?? '')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new BodyTooLarge(
        request.routeOptions.bodyLimit ?? request.server.initialConfig.bodyLimit ?? 0,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedContentType(request)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new RequestMalformed('the body must have as many bytes as Content-Length says')
    case 'ECONNRESET':
      return new RequestMalformed(CUT_OFF)
    default:
      request.log.error(error)
      return new InternalError()
  }
}

/** All content types that routes accept. The scope of a route has parsers for its content types. */
const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded']

/** Returns the error for a body of another type than those of its route. */
export function unsupportedContentType({ headers, server }: FastifyRequest): CatalogueError {
  const supported = CONTENT_TYPES.filter((type) => server.hasContentTypeParser(type))
  const advice = supported.join(' or ') || 'a type such as application/octet-stream'
  return new ContentTypeUnsupported(headers['content-type'] ?? '', advice)
}
