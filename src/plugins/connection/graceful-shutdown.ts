import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** How long a request may take to arrive, or an answer to leave, when the server closes, in ms. */
const GRACE = 1000

/**
 * Ends the connections on which nothing is to be answered when the server closes: at once those that
 * have sent no request yet, as browsers open some ahead of need; after a grace those that have sent
 * a part of one and stopped. Node takes both for busy, and would wait minutes for them.
 */
async function gracefulShutdown(app: FastifyInstance): Promise<void> {
  const connections = new Map<Socket, ServerResponse | undefined>()
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.set(socket, response)
  })
  app.addHook('preClose', async () => {
    for (const [socket, last] of connections) {
      if (last === undefined) socket.destroy()
      else if (isAnswering(last) && !last.headersSent) last.setHeader('connection', 'close')
    }
    const sweep = setInterval(() => {
      for (const [socket, last] of connections) if (!isAnswering(last)) socket.destroy()
      if (connections.size === 0) clearInterval(sweep)
    }, GRACE).unref()
    await sent([...connections.values()])
  })
}

export default fp(gracefulShutdown, { name: 'graceful-shutdown' })

/** Waits a while for answers that are whole but not yet sent: Node would cut them off. */
async function sent(responses: readonly (ServerResponse | undefined)[]): Promise<void> {
  const signal = AbortSignal.timeout(GRACE)
  await Promise.allSettled(
    responses
      .filter((response) => response?.writableEnded === true && !response.writableFinished)
      .map((response) => once(response as ServerResponse, 'close', { signal })),
  )
}

/** Whether this is being made or sent, for a request that has come whole. */
const isAnswering = (response: ServerResponse | undefined): boolean =>
  response !== undefined && response.req.complete && !response.writableFinished
