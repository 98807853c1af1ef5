import type { FastifyRequest } from 'fastify'

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
