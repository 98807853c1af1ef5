import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import {
  ExpectationFailed,
  HeadersTooLarge,
  MethodNotAllowed,
  RequestMalformed,
  RequestTimeout,
} from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { JSON_TYPE, failureText } from '../jsend.js'

/** How many bytes the request line and the headers may have: two long parameters fit, encoded. */
export const MAX_HEADER_SIZE = 256 * 1024

/** Answers in the envelope what Node would answer by itself, before a request reaches a route. */
async function protocolErrors(app: FastifyInstance): Promise<void> {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const error = new ExpectationFailed(request.headers.expect ?? '')
    const text = failureText(error)
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) }
    response.writeHead(error.statusCode, headers).end(text)
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answer(
      socket,
      new MethodNotAllowed('CONNECT', 'this server', 'GET, HEAD'),
      'Allow: GET, HEAD\r\n',
    )
  })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isNameless = raw.headers.host === undefined && raw.httpVersion === '1.1'
    done(
      isNameless
        ? new RequestMalformed('a request of HTTP/1.1 must have a Host header')
        : undefined,
    )
  })
}

export default fp(protocolErrors, { name: 'protocol-errors' })

/** Fastify's `clientErrorHandler`: a request that is no HTTP, too large or too slow. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  answer(socket, toCatalogue(error))
}

function toCatalogue({ code }: NodeJS.ErrnoException): CatalogueError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge(MAX_HEADER_SIZE)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeout()
  return new RequestMalformed(`this is not a request of HTTP/1.1 (${code ?? 'unreadable'})`)
}

function answer(socket: Socket, error: CatalogueError, headers = ''): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { statusCode } = error
  const text = failureText(error)
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${headers}Content-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}
