import type { OutgoingHttpHeaders } from 'node:http'

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Truncates the responses of requests whose fault says so: sends all headers, with the length of the
 * whole body, and half of the body, and then closes the connection. Without a body it closes the
 * connection at once.
 */
async function truncateResponse(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.fault?.outcome.drop !== 'truncate') return done()
    const { raw, statusCode } = reply.hijack()
    const hasBody = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!hasBody || request.method === 'HEAD') return void raw.destroy()
    const body = Buffer.from(payload)
    raw.writeHead(statusCode, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-length': body.length,
    })
    raw.write(body.subarray(0, body.length / 2), () => raw.destroy())
  })
}

export default fp(truncateResponse, {
  name: 'truncate-response',
  dependencies: ['change-response'],
})
