import { once } from 'node:events'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { isPending } from './connections.js'
import type { LastResponse } from './connections.js'

/** The time for a request to arrive, or a response to be sent, when the server closes, in ms. */
const GRACE_PERIOD = 1000

/** The number of grace periods that a request in progress may take when the server closes. */
const MAX_PERIODS = 4

/**
 * When the server closes, destroys unused connections at once (browsers open some ahead of need),
 * connections whose request is incomplete after the grace period, and after four of them all others:
 * their readers do not read, or a deployment behind the server is silent. Node counts all of them as
 * active, and would wait minutes, or for ever.
 */
async function gracefulShutdown(app: FastifyInstance): Promise<void> {
  const { lastResponses } = app.connections
  app.addHook('preClose', async () => {
    for (const [socket, response] of lastResponses) {
      if (response === 'none') socket.destroy()
      else if (response !== 'sent' && isPending(response) && !response.headersSent)
        response.setHeader('connection', 'close')
    }
    let periods = 0
    const timer = setInterval(() => {
      periods += 1
      for (const [socket, response] of lastResponses) {
        if (typeof response === 'string' || !isPending(response) || periods >= MAX_PERIODS)
          socket.destroy()
      }
      if (lastResponses.size === 0) clearInterval(timer)
    }, GRACE_PERIOD).unref()
    await waitUntilSent([...lastResponses.values()])
  })
}

export default fp(gracefulShutdown, {
  name: 'graceful-shutdown',
  dependencies: ['connections'],
})

/** Waits up to the grace period for responses that are ended but not sent, which Node would cut. */
async function waitUntilSent(responses: readonly LastResponse[]): Promise<void> {
  const signal = AbortSignal.timeout(GRACE_PERIOD)
  await Promise.allSettled(
    responses
      .filter((response) => typeof response === 'object')
      .filter((response) => response.writableEnded && !response.writableFinished)
      .map((response) => once(response, 'close', { signal })),
  )
}
