import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * `replay` for a request of the journal that the page sends again. Requests with `own` are not
     * recorded, and faults do not affect them.
     */
    pageMark: 'own' | 'replay' | undefined
  }

  interface FastifyContextConfig {
    /** Whether a route serves a file of a page. Its requests are not recorded. */
    readonly isPage?: boolean
  }
}

const PAGE_HEADER = 'x-mock-page'

const STATUS_HEADER = 'x-mock-status'

/**
 * Where the controls may not be used, `X-Mock-Page` has no effect: nothing hides from the journal.
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
 * The page gets 200 and the status in a header: a browser writes each failure to its console, also
 * the expected response to a query that is still being typed.
 */
export const setFailureStatus = (
  { pageMark }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply =>
  pageMark === undefined ? reply.code(status) : reply.code(200).header(STATUS_HEADER, status)

export const readStatus = (reply: FastifyReply): number =>
  reply.request.pageMark === undefined
    ? reply.statusCode
    : Number(reply.getHeader(STATUS_HEADER) ?? reply.statusCode)
