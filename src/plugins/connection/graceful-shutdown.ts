import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** The time for a request to arrive, or a response to be sent, when the server closes, in ms. */
const GRACE_PERIOD = 1000

/**
 * When the server closes, destroys unused connections at once (browsers open some ahead of need),
 * and connections whose request is incomplete after the grace period. Node counts both as active,
 * and would wait minutes for them.
 */
async function gracefulShutdown(app: FastifyInstance): Promise<void> {
  const lastResponses = new Map<Socket, ServerResponse | undefined>()
  app.server.on('connection', (socket: Socket) => {
    lastResponses.set(socket, undefined)
    socket.once('close', () => lastResponses.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    lastResponses.set(socket, response)
  })
  app.addHook('preClose', async () => {
    for (const [socket, response] of lastResponses) {
      if (response === undefined) socket.destroy()
      else if (isPending(response) && !response.headersSent)
        response.setHeader('connection', 'close')
    }
    const timer = setInterval(() => {
      for (const [socket, response] of lastResponses) if (!isPending(response)) socket.destroy()
      if (lastResponses.size === 0) clearInterval(timer)
    }, GRACE_PERIOD).unref()
    await waitUntilSent([...lastResponses.values()])
  })
}

export default fp(gracefulShutdown, { name: 'graceful-shutdown' })

/** Waits up to the grace period for responses that are ended but not sent, which Node would cut. */
async function waitUntilSent(responses: readonly (ServerResponse | undefined)[]): Promise<void> {
  const signal = AbortSignal.timeout(GRACE_PERIOD)
  await Promise.allSettled(
    responses
      .filter((response) => response?.writableEnded === true && !response.writableFinished)
      .map((response) => once(response as ServerResponse, 'close', { signal })),
  )
}

/** Whether a response is not sent yet although its request is complete. */
const isPending = (response: ServerResponse | undefined): boolean =>
  response !== undefined && response.req.complete && !response.writableFinished
