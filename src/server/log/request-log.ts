import { LogController } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { redactUrl } from '@materials-mock/json'
import { readStatus } from '../../http/envelope.js'

/** The log levels that include `info`, the level of the request lines. */
const REQUEST_LEVELS: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

/** A line for each response: its URL redacted, ms to the end. None at a level above `info`. */
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
    const url = redactUrl(request.originalUrl)
    const ms = Number(reply.elapsedTime.toFixed(1))
    const { method, journalRecord } = request
    const entry = { method, url, status: readStatus(reply), ms, fault: journalRecord?.fault }
    request.log.info({ request: entry }, `${method} ${url} ${entry.status} ${ms} ms`)
  }
}
