import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Takes connections at another address too, until the server closes. They go to the one HTTP
     * server, so that they are treated as all others: Fastify would make another, without the
     * listeners of the first.
     */
    listenOnAddress(host: string, port: number): Promise<void>
  }
}

/** Lets a server listen on more than one address. */
async function extraListener(app: FastifyInstance): Promise<void> {
  const listeners: Server[] = []
  const closing: Promise<unknown>[] = []
  app.decorate('listenOnAddress', async (host: string, port: number) => {
    const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      app.server.emit('connection', socket)
    })
    await once(door.listen(port, host), 'listening')
    listeners.push(door)
  })
  app.addHook('preClose', async () => {
    for (const door of listeners) closing.push(once(door.close(), 'close'))
  })
  app.addHook('onClose', async () => void (await Promise.all(closing)))
}

export default fp(extraListener, { name: 'extra-listener' })
