import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Ends the connections that have sent no request yet when the server closes. Browsers open some
 * ahead of need; Node takes them for busy, and would wait a minute for each.
 */
async function silentSockets(app: FastifyInstance): Promise<void> {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
}

export default fp(silentSockets, { name: 'silent-sockets' })
