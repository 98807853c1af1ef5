import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** The open connections of this server. */
    readonly connections: Connections
  }
}

/** The open connections of one server, and the responses that each one waits for. */
export class Connections {
  readonly #lastResponses = new Map<Socket, ServerResponse | undefined>()
  /** The response before each one that was requested before it was sent (HTTP pipelining). */
  readonly #previousResponses = new WeakMap<ServerResponse, ServerResponse>()

  /** The response to the last request of each connection; undefined if there was no request. */
  get lastResponses(): ReadonlyMap<Socket, ServerResponse | undefined> {
    return this.#lastResponses
  }

  add(socket: Socket): void {
    this.#lastResponses.set(socket, undefined)
    socket.once('close', () => {
      this.#closeWaiting(socket)
      this.#lastResponses.delete(socket)
    })
  }

  addResponse(socket: Socket, response: ServerResponse): void {
    const previous = this.#lastResponses.get(socket)
    if (previous !== undefined && isUnsent(previous))
      this.#previousResponses.set(response, previous)
    this.#lastResponses.set(socket, response)
  }

  /**
   * Closes the responses that wait for an earlier one of their connection, which has closed. Node
   * tells only the response that it sends.
   */
  #closeWaiting(socket: Socket): void {
    for (
      let response = this.#lastResponses.get(socket);
      response !== undefined;
      response = this.#previousResponses.get(response)
    ) {
      if (response.socket !== null || !isUnsent(response)) continue
      response.destroy()
      response.emit('close')
    }
  }

  /** Returns the last response of a connection that is not sent although its request is complete. */
  findPendingResponse(socket: Socket): ServerResponse | undefined {
    let response = this.#lastResponses.get(socket)
    while (response !== undefined && !isPending(response))
      response = this.#previousResponses.get(response)
    return response
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
