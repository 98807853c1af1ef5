import { LogController } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { redactUrl } from '../../controls/redact.js'

/** The log levels that include `info`, the level of the request lines. */
const REQUEST_LEVELS: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

/**
 * Logs one line for each response at `info`: method, URL with its secrets redacted, status, and the ms from the request to
 * the end of the response. At a level above `info` it formats no line.
 */
export class RequestLog extends LogController {
  constructor(level: string) {
    super({ disableRequestLogging: !REQUEST_LEVELS.has(level) })
  }

  override incomingRequest(): void {}

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (this.isLogDisabled(request)) return
    const ms = reply.elapsedTime.toFixed(1)
    request.log.info(`${request.method} ${redactUrl(request.url)} ${reply.statusCode} ${ms} ms`)
  }
}
