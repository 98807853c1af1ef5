import { LogController } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The levels that have lines below warnings. */
const WITH_REQUESTS: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

/**
 * One line a request, at `info`: method, URL, status, and ms until the answer was sent. At a level
 * that leaves it out, none is made.
 */
export class RequestLog extends LogController {
  constructor(level: string) {
    super({ disableRequestLogging: !WITH_REQUESTS.has(level) })
  }

  override incomingRequest(): void {}

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (this.isLogDisabled(request)) return
    const ms = reply.elapsedTime.toFixed(1)
    request.log.info(`${request.method} ${request.url} ${reply.statusCode} ${ms} ms`)
  }
}
