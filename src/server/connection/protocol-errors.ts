import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

import {
  ExpectationFailed,
  HeadersTooLarge,
  MethodNotAllowed,
  RequestMalformed,
  RequestTimeout,
} from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { JSON_TYPE, failureText } from '../../http/envelope.js'
import { findPendingResponse } from './connections.js'
import type { Connection } from './connections.js'
import { getStatusCode } from '../../http/status-codes.js'

/** The limit on the bytes of the request line and the headers. Two long parameters fit, encoded. */
export const MAX_HEADER_SIZE = 256 * 1024

/** In ms. More than a fault's longest delay: the rest of a large body is read after it. */
export const REQUEST_TIMEOUT = 120_000

/** The time that a client has to read an error and close its connection, in ms. */
const LINGER_MS = 1000

/** Answers errors that occur before any route, and that Node would answer itself, in the failure envelope. */
export function sendProtocolErrors(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const error = new ExpectationFailed(request.headers.expect ?? '')
    const text = failureText(error)
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) }
    response.writeHead(getStatusCode(error), headers).end(text)
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const error = new MethodNotAllowed('CONNECT', 'this server', 'GET, HEAD')
    sendInOrder(app.connections.get(socket), socket, error, 'Allow: GET, HEAD\r\n')
  })
}

/**
 * Fastify's `clientErrorHandler`, for what Node can't parse, and what is too large or too slow.
 * Node calls it again for each chunk, so the server reads nothing after the first error.
 */
export function handleClientError(
  this: FastifyInstance,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  const connection = this.connections.get(socket)
  if (connection?.isBroken === true) return
  if (connection !== undefined) connection.isBroken = true
  const last = connection?.responses.at(-1)
  if (last !== undefined && last.headersSent && !last.req.complete) endConnection(socket)
  else sendInOrder(connection, socket, toCatalogueError(error))
}

function toCatalogueError({ code }: NodeJS.ErrnoException): CatalogueError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge(MAX_HEADER_SIZE)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeout()
  return new RequestMalformed(`this is not an HTTP/1.1 request (${code ?? 'unreadable'})`)
}

/**
 * After all earlier responses of the connection.
 * @param headers lines, each with its line end
 */
function sendInOrder(
  connection: Connection | undefined,
  socket: Socket,
  error: CatalogueError,
  headers = '',
): void {
  const statusCode = getStatusCode(error)
  const text = failureText(error)
  const bytes =
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${headers}Content-Type: ${JSON_TYPE}\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`
  const pending = connection && findPendingResponse(connection)
  if (pending === undefined) return endConnection(socket, bytes)
  socket.pause().setTimeout(REQUEST_TIMEOUT)
  pending.once('close', () => endConnection(socket, bytes))
}

/**
 * Sends the last bytes of a connection and closes it. The client has a moment to read them: a
 * connection that is destroyed with unread bytes is reset, and the client loses what it has not read.
 */
function endConnection(socket: Socket, bytes = ''): void {
  if (socket.writableEnded) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(bytes)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}
