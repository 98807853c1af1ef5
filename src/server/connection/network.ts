import { executionAsyncResource } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

import type { FastifyInstance, FastifyServerOptions } from 'fastify'

import type { TlsFiles } from '../tls.js'
import { watchConnections } from './connections.js'
import {
  MAX_HEADER_SIZE,
  REQUEST_TIMEOUT,
  handleClientError,
  sendProtocolErrors,
} from './protocol-errors.js'

export interface Network {
  readonly options: FastifyServerOptions
  /** Whether a request has a connection. One that a test injects has none. */
  isFromNetwork(request: IncomingMessage): boolean
  watch(app: FastifyInstance): void
}

/** Creates what a server needs to serve HTTP, or with a certificate HTTPS. */
export function createNetwork(tls: TlsFiles | undefined): Network {
  const http = {
    maxHeaderSize: MAX_HEADER_SIZE,
    requireHostHeader: false, // admit checks it
  }
  return {
    options: {
      // A client that does not shake hands would hold the close of the server.
      ...(tls === undefined ? { http } : { https: { ...http, ...tls, handshakeTimeout: 5000 } }),
      requestTimeout: REQUEST_TIMEOUT,
      clientErrorHandler: handleClientError,
      return503OnClosing: false, // Fastify's 503 has no envelope; connections closes instead
    },
    isFromNetwork: ({ socket }) => socket instanceof Socket,
    watch: (app) => {
      app.server.maxHeadersCount = 0 // Node would drop headers after the 2000th without an error
      watchConnections(app)
      keepTick()
      sendProtocolErrors(app)
    },
  }
}

/** A tick of Node's queue. */
let kept: object | undefined

/**
 * Keeps one tick of `process.nextTick` alive. V8 forgets the shape of objects of which none is left when it collects
 * garbage. An idle server has no tick, and Node 20 would create all later ones, ten a request, without a known shape.
 */
function keepTick(): void {
  process.nextTick(() => {
    kept ??= executionAsyncResource()
  })
}
