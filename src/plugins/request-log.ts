import { LogController } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One line a request, at `info`: method, URL, status, and ms until the answer was sent. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const ms = reply.elapsedTime.toFixed(1)
    request.log.info(`${request.method} ${request.url} ${reply.statusCode} ${ms} ms`)
  }
}
