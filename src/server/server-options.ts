import type { Server } from 'node:http'

import type { FastifyHttpOptions } from 'fastify'

import {
  MAX_HEADER_SIZE,
  REQUEST_TIMEOUT,
  handleClientError,
} from './connection/protocol-errors.js'
import { schemaController } from '../http/schema-controller.js'
import { sendFailure } from '../http/envelope.js'
import { createLogStream } from './log/log-stream.js'
import { RequestLog } from './log/request-log.js'
import { MAX_PARAM_LENGTH } from './not-found.js'
import { rewriteTarget } from '../http/request-target.js'

/** The options of the log. */
export interface LogOptions {
  /** From `silent` to `trace` (default: `warn`). */
  readonly logLevel?: string
  /** Lines of JSON, or for a person to read (default: `text`). */
  readonly logFormat?: 'text' | 'json'
}

/** Returns the options of Fastify, with the parts of our plugins that Fastify takes as options. */
export const createServerOptions = ({
  logLevel: level = 'warn',
  logFormat: format = 'text',
}: LogOptions): FastifyHttpOptions<Server> => ({
  // Without a logger, Fastify creates no child logger for each request.
  logger: level !== 'silent' && { level, base: null, stream: createLogStream(format) },
  logController: new RequestLog(level),
  schemaController,
  exposeHeadRoutes: false, // head-routes does
  pluginTimeout: 0, // each plugin and route would set a timer
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
  http: {
    maxHeaderSize: MAX_HEADER_SIZE,
    requireHostHeader: false, // protocol-errors checks it
  },
  requestTimeout: REQUEST_TIMEOUT,
  rewriteUrl: rewriteTarget,
  frameworkErrors: sendFailure,
  clientErrorHandler: handleClientError,
  return503OnClosing: false, // Fastify's 503 has no envelope; connections closes instead
})
