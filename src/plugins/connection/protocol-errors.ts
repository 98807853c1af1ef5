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

/** The limit on the bytes of the request line and the headers: two long parameters fit, encoded. */
export const MAX_HEADER_SIZE = 256 * 1024

/** Sends errors that Node would respond to itself, before any route, in the failure envelope. */
async function protocolErrors(app: FastifyInstance): Promise<void> {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const error = new ExpectationFailed(request.headers.expect ?? '')
    const text = failureText(error)
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) }
    response.writeHead(error.statusCode, headers).end(text)
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const error = new MethodNotAllowed('CONNECT', 'this server', 'GET, HEAD')
    sendToSocket(socket, error, 'Allow: GET, HEAD\r\n')
  })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isHostMissing = raw.headers.host === undefined && raw.httpVersion === '1.1'
    done(
      isHostMissing
        ? new RequestMalformed('an HTTP/1.1 request must have a Host header')
        : undefined,
    )
  })
}

export default fp(protocolErrors, { name: 'protocol-errors' })

/** Fastify's `clientErrorHandler`, for requests that Node can't parse, or too large or slow ones. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  sendToSocket(socket, toCatalogueError(error))
}

function toCatalogueError({ code }: NodeJS.ErrnoException): CatalogueError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge(MAX_HEADER_SIZE)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeout()
  return new RequestMalformed(`this is not an HTTP/1.1 request (${code ?? 'unreadable'})`)
}

/** @param headers more header lines, each with its line end */
function sendToSocket(socket: Socket, error: CatalogueError, headers = ''): void {
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
