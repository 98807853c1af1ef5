import type { FastifyInstance, FastifyRequest } from 'fastify'

import { createBodyReader } from './read-body.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Keeps the body for its parser, which throws the same errors. Undefined if there is none. */
    keepBody(reply: FastifyReply): Promise<Buffer | undefined>
    /**
     * @param limit default: that of the route
     * @throws BodyTooLarge, BoundExceeded, RequestMalformed
     */
    takeBody(limit?: number): Promise<Buffer>
  }
}

/** The largest body of a request that has no route here, in bytes. */
const MAX_UNROUTED_BYTES = 64 * 1024 * 1024

export function decorateBodies(app: FastifyInstance): void {
  const readBody = createBodyReader()
  app.decorateRequest('keepBody', async function keepBody(this: FastifyRequest, reply) {
    if (!hasBody(this)) return undefined
    const { bodyLimit } = this.routeOptions
    this.keptBody = readBody(this.raw, this.isUnrouted ? MAX_UNROUTED_BYTES : bodyLimit)
    try {
      const { bytes, release } = await this.keptBody
      reply.raw.once('close', release)
      return bytes
    } catch (error) {
      this.raw.resume() // Node discards the rest only of a body of which no part was read
      throw error
    }
  })
  app.decorateRequest('takeBody', async function takeBody(this: FastifyRequest, limit) {
    const body = this.keptBody ?? readBody(this.raw, limit ?? this.routeOptions.bodyLimit)
    const { bytes, release } = await body
    release()
    this.keptBody = undefined
    return bytes
  })
}

/** Whether a request says that it has a body, which may turn out to be empty. */
const hasBody = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Lets a body of no bytes have no content type, whatever was sent. */
export function ignoreTypeOfNothing(request: FastifyRequest): void {
  const { 'content-type': type, 'content-length': length } = request.headers
  if (type !== undefined && length === '0') request.headers = { 'content-type': undefined }
}
