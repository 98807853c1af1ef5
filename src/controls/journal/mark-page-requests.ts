import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route serves a file of a page. Its requests are not recorded. */
    readonly isPage?: boolean
  }
}

/** The header by which the page that this server serves marks its own requests. */
const PAGE_HEADER = 'x-mock-page'

/**
 * Returns a function that marks the requests of the page, which have the header `X-Mock-Page`. Where
 * the controls may not be used, the header has no effect, so that no request can hide from the journal.
 */
export function createPageMarker(hasControls: boolean): (request: FastifyRequest) => void {
  return (request) => {
    const mark = request.headers[PAGE_HEADER]
    if (mark === undefined || !hasControls || request.isFromAnyPage) return
    if (mark === 'true') request.pageMark = 'own'
    else if (mark === 'replay') request.pageMark = 'replay'
  }
}
