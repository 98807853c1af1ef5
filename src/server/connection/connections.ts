import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The open connections of this server. */
    readonly connections: ReadonlyMap<Socket, Connection>
    /** Fastify's own second server would not have the event listeners of the first. */
    listenOnAddress(host: string, port: number): Promise<void>
  }
}

export interface Connection {
  /** Whether the client has sent no request yet. Browsers open some connections ahead of need. */
  isUnused: boolean
  /** Whether the server has received malformed data, after which it reads nothing more. */
  isBroken: boolean
  /** The responses that are not yet sent, or whose request is incomplete, in order (HTTP pipelining). */
  readonly responses: ServerResponse[]
}

/** The largest number of requests of one connection that may wait for a response. */
export const MAX_PIPELINED = 1000

/** The time in ms that a request has to arrive, and a response has to be sent, when the server closes. */
const GRACE_PERIOD = 1000

/** The number of grace periods that a request in progress may take when the server closes. */
const MAX_PERIODS = 4

/**
 * Listens to the errors of each connection as long as it exists: Node removes its own listener from
 * that of a CONNECT, and an error without a listener would end the process.
 */
export function watchConnections(app: FastifyInstance): void {
  const open = new Map<Socket, Connection>()
  app.decorate('connections', open)
  ignoreErrors(app.server)
  const isTls = app.server instanceof TlsServer
  if (isTls) allowResets(app.server)
  app.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const connection: Connection = { isUnused: true, isBroken: false, responses: [] }
    open.set(socket, connection)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      open.delete(socket)
      closeWaiting(connection)
    })
  })

  /** One function for all responses, which are its `this`. */
  function forgetSent(this: ServerResponse): void {
    forgetConcluded(open.get(this.req.socket)?.responses ?? [])
  }
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    const { responses } = connection
    connection.isUnused = false
    forgetConcluded(responses)
    responses.push(response)
    if (responses.length > MAX_PIPELINED) socket.destroy()
    response.on('close', forgetSent)
  })

  const listeners: Server[] = []
  const closing: Promise<unknown>[] = []
  app.decorate('listenOnAddress', async (host: string, port: number) => {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      app.server.emit('connection', socket)
    })
    await once(listener.listen(port, host), 'listening')
    ignoreErrors(listener)
    listeners.push(listener)
  })
  app.addHook('preClose', async () => {
    for (const listener of listeners) closing.push(once(listener.close(), 'close'))
    await closeConnections(open)
  })
  app.addHook('onClose', async () => void (await Promise.all(closing)))
}

/** Lets the sockets of TLS be reset: Node resets only the sockets that they are sent through. */
function allowResets(server: Server): void {
  const transports = new Map<string, Socket>()
  server.on('connection', (transport: Socket) => {
    const name = nameConnection(transport)
    transports.set(name, transport)
    transport.once('close', () => {
      if (transports.get(name) === transport) transports.delete(name)
    })
  })
  server.on('secureConnection', (socket: Socket) => {
    const transport = transports.get(nameConnection(socket))
    socket.resetAndDestroy = () => {
      transport?.resetAndDestroy()
      return socket.destroy()
    }
  })
}

const nameConnection = (socket: Socket): string =>
  [socket.localAddress, socket.localPort, socket.remoteAddress, socket.remotePort].join()

/** When it is sent, all responses before it have been sent. */
export const findPendingResponse = ({ responses }: Connection): ServerResponse | undefined =>
  responses.findLast(isPending)

const isPending = (response: ServerResponse): boolean => response.req.complete && isUnsent(response)

const isUnsent = ({ writableFinished, destroyed }: ServerResponse): boolean =>
  !writableFinished && !destroyed

function forgetConcluded(responses: ServerResponse[]): void {
  for (let first = responses[0]; first !== undefined; first = responses[0]) {
    if (!first.req.complete || isUnsent(first)) return
    responses.shift()
  }
}

/**
 * What can't be accepted, for too many open files or a client that is gone, concerns nobody else.
 */
function ignoreErrors(server: Server): void {
  server.on('error', () => undefined)
}

/** Node emits `close` only on the response that it is sending, not on those that wait. */
function closeWaiting({ responses }: Connection): void {
  for (const response of responses) {
    if (response.socket !== null || !isUnsent(response)) continue
    response.destroy()
    response.emit('close')
  }
}

/**
 * Unused ones at once, incomplete requests after one grace period, others after four: their clients
 * do not read, or a deployment is silent. Node would wait for minutes or for ever.
 * @returns when the ended responses are sent, which Node would cut
 */
async function closeConnections(open: ReadonlyMap<Socket, Connection>): Promise<void> {
  for (const [socket, { isUnused, responses }] of open) {
    const last = responses.at(-1)
    if (isUnused) socket.destroy()
    else if (last !== undefined && isPending(last) && !last.headersSent)
      last.setHeader('connection', 'close')
  }
  let periods = 0
  const timer = setInterval(() => {
    periods += 1
    for (const [socket, { responses }] of open)
      if (periods >= MAX_PERIODS || !responses.some(isPending)) socket.destroy()
    if (open.size === 0) clearInterval(timer)
  }, GRACE_PERIOD).unref()

  const signal = AbortSignal.timeout(GRACE_PERIOD)
  await Promise.allSettled(
    [...open.values()]
      .flatMap(({ responses }) => responses)
      .filter((response) => response.writableEnded && isUnsent(response))
      .map((response) => once(response, 'close', { signal })),
  )
}
