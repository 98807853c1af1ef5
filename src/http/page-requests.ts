import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The mark of a request of this server's own page: `own`, or `replay` for one of the journal that
     * the page sends again. Requests with `own` are not recorded, and faults do not affect them.
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

/** The header with the status of a failure that the page receives with 200. */
const STATUS_HEADER = 'x-mock-status'

/**
 * Returns a function that marks the requests of the page, which have the header `X-Mock-Page`. Where
 * the controls may not be used, the header has no effect, so that no request can hide from the journal.
 */
export function createPageMarker(
  app: FastifyInstance,
  hasControls: boolean,
): (request: FastifyRequest) => void {
  app.decorateRequest('pageMark', undefined)
  return (request) => {
    const mark = request.headers[PAGE_HEADER]
    if (mark === undefined || !hasControls || request.isFromAnyPage) return
    if (mark === 'true') request.pageMark = 'own'
    else if (mark === 'replay') request.pageMark = 'replay'
  }
}

/**
 * Sets the status of a failure. The page gets 200 and the status in a header: a browser writes each response with 4xx
 * or 5xx to its console, also the expected response to a query that is still being typed.
 */
export const setFailureStatus = (
  { pageMark }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply =>
  pageMark === undefined ? reply.code(status) : reply.code(200).header(STATUS_HEADER, status)

/** Returns the status of a response, also of a failure that the page receives with 200. */
export const readStatus = (reply: FastifyReply): number =>
  reply.request.pageMark === undefined
    ? reply.statusCode
    : Number(reply.getHeader(STATUS_HEADER) ?? reply.statusCode)
