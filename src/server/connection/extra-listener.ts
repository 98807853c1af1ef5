import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { ignoreErrors } from './connections.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Listens on another address too, until the server closes. The connections go to the one HTTP
     * server, and so through its event listeners: Fastify's own second server would not have them.
     */
    listenOnAddress(host: string, port: number): Promise<void>
  }
}

/** Adds `listenOnAddress`, which makes the server listen on more than one address. */
async function extraListener(app: FastifyInstance): Promise<void> {
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
  })
  app.addHook('onClose', async () => void (await Promise.all(closing)))
}

export default fp(extraListener, { name: 'extra-listener' })
