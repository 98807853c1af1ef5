import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isFromThisComputer } from './loopback-guard.js'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The mark of a request of this server's own page: `own`, or `replay` for one of the journal that
     * the page sends again. Only the first is neither recorded nor subject to faults.
     */
    pageMark: 'own' | 'replay' | undefined
  }

  interface FastifyContextConfig {
    /** Whether a route serves a file of a page. Its requests are not recorded. */
    readonly isPage?: boolean
  }
}

/** The header by which the page that this server serves marks its own requests. */
const PAGE_HEADER = 'x-mock-page'

/** The header in which the page finds the status of a failure, which it receives with 200. */
const STATUS_HEADER = 'x-mock-status'

/**
 * Returns the function that marks the requests of the page, which have the header `X-Mock-Page`. Where
 * the controls may not be used, the header has no meaning: a request could hide from the journal.
 * @param host the `host` option of the server, or undefined if it has no controls
 */
export function createPageMarker(
  app: FastifyInstance,
  host: string | undefined,
): (request: FastifyRequest) => void {
  app.decorateRequest('pageMark', undefined)
  return (request) => {
    const mark = request.headers[PAGE_HEADER]
    if (mark === undefined || host === undefined || !isFromThisComputer(request, host)) return
    if (mark === 'true') request.pageMark = 'own'
    else if (mark === 'replay') request.pageMark = 'replay'
  }
}

/**
 * Sets the status of a failure. The page receives it in a header, with 200: a browser writes each
 * response with 4xx or 5xx to its console, also one that the page expects, such as that to a query
 * which is still being typed.
 */
export const setFailureStatus = (
  { pageMark }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply =>
  pageMark === undefined ? reply.code(status) : reply.code(200).header(STATUS_HEADER, status)

/** Returns the status of a response; that of a failure which the page receives with 200 too. */
export const readStatus = (reply: FastifyReply): number =>
  reply.request.pageMark === undefined
    ? reply.statusCode
    : Number(reply.getHeader(STATUS_HEADER) ?? reply.statusCode)
