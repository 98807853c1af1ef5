import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { isHeapFull } from '../../work/check-heap.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The open connections of this server. */
    readonly connections: Connections
  }
}

/**
 * The response to the last request of a connection; `none` if there was no request, and `sent` instead
 * of one that is sent: it would keep the headers of its request as long as the connection is open.
 */
export type LastResponse = ServerResponse | 'none' | 'sent'

/** The open connections of one server, and the responses that each one waits for. */
export class Connections {
  readonly #lastResponses = new Map<Socket, LastResponse>()
  /** The response before each one that was requested before it was sent (HTTP pipelining). */
  readonly #previousResponses = new WeakMap<ServerResponse, ServerResponse>()

  /** Forgets a sent response: one listener for all. An answer that is sent before its request is complete is kept. */
  readonly #forget: (this: ServerResponse) => void

  constructor() {
    const lastResponses = this.#lastResponses
    const previousResponses = this.#previousResponses
    this.#forget = function forget() {
      previousResponses.delete(this) // which is sent, too
      const { socket, complete } = this.req
      if (complete && lastResponses.get(socket) === this) lastResponses.set(socket, 'sent')
    }
  }

  /** The response to the last request of each connection. */
  get lastResponses(): ReadonlyMap<Socket, LastResponse> {
    return this.#lastResponses
  }

  add(socket: Socket): void {
    this.#lastResponses.set(socket, 'none')
    socket.once('close', () => {
      this.#closeWaiting(socket)
      this.#lastResponses.delete(socket)
    })
  }

  /**
   * Adds the response to the last request of a connection. When the heap is full, a connection whose
   * requests wait for an earlier response is closed: it may send any number of them.
   */
  addResponse(socket: Socket, response: ServerResponse): void {
    const previous = this.#lastResponses.get(socket)
    if (typeof previous === 'object' && isUnsent(previous)) {
      this.#previousResponses.set(response, previous)
      if (isHeapFull()) socket.destroy()
    }
    this.#lastResponses.set(socket, response)
    response.on('close', this.#forget)
  }

  /**
   * Closes the responses that wait for an earlier one of their connection, which has closed. Node
   * tells only the response that it sends.
   */
  #closeWaiting(socket: Socket): void {
    for (const response of this.#listFromLast(socket)) {
      if (response.socket !== null || !isUnsent(response)) continue
      response.destroy()
      response.emit('close')
    }
  }

  /** Returns the last response of a connection that is not sent although its request is complete. */
  findPendingResponse(socket: Socket): ServerResponse | undefined {
    return this.#listFromLast(socket).find(isPending)
  }

  /** Returns the last response of a connection, and those before it that were not sent when it came. */
  #listFromLast(socket: Socket): ServerResponse[] {
    const responses: ServerResponse[] = []
    const last = this.#lastResponses.get(socket)
    let response = typeof last === 'object' ? last : undefined
    for (; response !== undefined; response = this.#previousResponses.get(response))
      responses.push(response)
    return responses
  }
}

/** Whether a response is not sent yet although its request is complete. */
export const isPending = (response: ServerResponse): boolean =>
  response.req.complete && isUnsent(response)

const isUnsent = ({ writableFinished, destroyed }: ServerResponse): boolean =>
  !writableFinished && !destroyed

/**
 * Decorates the server with its open connections. Listens to the errors of the server and of each
 * connection as long as they exist: Node removes its own listener from a connection whose request
 * is CONNECT, and an error without a listener would end the process.
 */
async function connections(app: FastifyInstance): Promise<void> {
  const open = new Connections()
  app.decorate('connections', open)
  ignoreErrors(app.server)
  app.server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    open.add(socket)
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.addResponse(socket, response)
  })
}

export default fp(connections, { name: 'connections' })

/**
 * Ignores the errors of a listening server: a connection that can't be accepted, because the
 * process has too many open files or because the client is gone, concerns no other connection.
 * `listen` has its own listener for the errors of the start.
 */
export function ignoreErrors(server: Server): void {
  server.on('error', () => undefined)
}
