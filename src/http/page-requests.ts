import type { FastifyReply, FastifyRequest } from 'fastify'

import { isFromThisComputer } from './loopback-guard.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route serves a file of a page. Its requests are not recorded. */
    readonly isPage?: boolean
  }
}

/** Returns whether a request is one of this server's own page. */
export type PageRequestFilter = (request: FastifyRequest) => boolean

/** The header by which the page that this server serves marks its own requests. */
const PAGE_HEADER = 'x-mock-page'

/**
 * Creates the filter of the page's own requests, which have `X-Mock-Page: true`. They are not
 * recorded, and no fault applies to them. Where the controls may not be used, the header has no
 * meaning: a request could hide from the journal.
 * @param host the `host` option of the server, or undefined if it has no controls
 */
export function createPageRequestFilter(host: string | undefined): PageRequestFilter {
  if (host === undefined) return () => false
  return (request) => request.headers[PAGE_HEADER] === 'true' && isFromThisComputer(request, host)
}

/** The value of the header on a request of the journal that the page sends again. It is recorded too. */
const REPLAY = 'replay'

/** The header in which the page finds the status of a failure, which it receives with 200. */
const STATUS_HEADER = 'x-mock-status'

/**
 * Sets the status of a failure. The page receives it in a header, with 200: a browser writes each
 * response with 4xx or 5xx to its console, also one that the page expects, such as that to a query
 * which is still being typed.
 */
export const setFailureStatus = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply =>
  headers[PAGE_HEADER] === 'true' || headers[PAGE_HEADER] === REPLAY
    ? reply.code(200).header(STATUS_HEADER, status)
    : reply.code(status)

/** Returns the status of a response; that of a failure which the page receives with 200 too. */
export const readStatus = (reply: FastifyReply): number =>
  Number(reply.getHeader(STATUS_HEADER) ?? reply.statusCode)
