import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import {
  BodyInvalid,
  BodyTooLarge,
  CatalogueError,
  ContentTypeUnsupported,
  InternalError,
  RequestMalformed,
} from '../errors.js'
import { failureOf } from '../schemas/jsend.js'

/** The one content type of the API. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Puts every answer into the envelope: what a handler returns, and whatever is thrown. */
async function jsend(app: FastifyInstance): Promise<void> {
  app.addHook('preSerialization', async (_request, _reply, payload) => ({
    status: 'success',
    data: payload,
  }))
  app.setErrorHandler(sendFailure)
}

export default fp(jsend, { name: 'jsend' })

/** Answers with the failure that an error means; a failure of our own is logged. */
export function sendFailure(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toCatalogue(error, request)
  if (known instanceof InternalError) request.log.error(error)
  return reply.code(known.statusCode).type(JSON_TYPE).send(failureText(known))
}

/** The text of a failure, in the contract's one shape. */
export const failureText = (error: CatalogueError): string => JSON.stringify(failureOf(error))

/** What Fastify throws by itself, in our words; what nobody foresaw is an internal error. */
function toCatalogue(error: FastifyError | Error, request: FastifyRequest): CatalogueError {
  if (error instanceof CatalogueError) return error
  switch ((error as FastifyError).code) {
    case 'FST_ERR_BAD_URL':
      return new RequestMalformed(
        `the path ${request.raw.url} has a "%" that is not followed by two hex digits of UTF-8`,
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new BodyTooLarge(
        request.routeOptions.bodyLimit ?? request.server.initialConfig.bodyLimit ?? 0,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedType(request)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new RequestMalformed('the body has not as many bytes as Content-Length says')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new BodyInvalid('the body is not JSON')
    default:
      return new InternalError()
  }
}

/** The kinds of body that routes take; which of them one takes, its scope's parsers tell. */
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded']

function unsupportedType({ headers, server }: FastifyRequest): CatalogueError {
  const taken = BODY_TYPES.filter((type) => server.hasContentTypeParser(type))
  return new ContentTypeUnsupported(headers['content-type'] ?? '', taken.join(' or '))
}
