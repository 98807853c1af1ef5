import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyRequest } from 'fastify'

import { AdminForbidden } from '../errors.js'
import { quote } from '../json/quote.js'

/**
 * Decides which requests come from this computer. The Host header must be a loopback name or the `host` option,
 * which protects against DNS rebinding. The Origin header, which browsers send for a page of another origin, must be
 * a loopback origin or have the host of the Host header. Without an Origin, the request must not be for what a page
 * of another site embeds. A server that is given its requests has no names, and needs no guard.
 */
export class NameGuard {
  readonly #host: string

  /** @param host the `host` option of the server */
  constructor(host: string) {
    this.#host = host.toLowerCase()
  }

  /** Whether a request comes from this computer. */
  allows(request: FastifyRequest): boolean {
    return this.#allowsHost(request) && this.#allowsPage(request)
  }

  /**
   * Refuses a request that does not come from this computer.
   * @param path the path of the scope, for the messages: `/__admin`
   * @throws AdminForbidden
   */
  check(request: FastifyRequest, path: string): void {
    if (!this.#allowsHost(request)) {
      const name = parseHostName(request.headers.host ?? '')
      throw new AdminForbidden(
        `${path} must be requested by a loopback name or the --host option, not ${quote(name)}`,
      )
    }
    if (!this.#allowsPage(request)) {
      throw new AdminForbidden(
        `${path} must be requested by a page of a loopback origin, not ${describeOrigin(request)}`,
      )
    }
  }

  #allowsHost({ headers, raw }: FastifyRequest): boolean {
    const name = parseHostName(headers.host ?? '')
    if (isLoopback(name)) return true
    // A server that listens on all addresses is named by the address that the request came to.
    if (this.#host === '0.0.0.0' || this.#host === '::')
      return raw.socket.localAddress?.replace(/^::ffff:/, '') === name
    return name === this.#host
  }

  /** A page of this server, whose origin has the host of its requests, may use the controls too. */
  #allowsPage({ headers }: FastifyRequest): boolean {
    const { origin, host } = headers
    if (origin === undefined) return !isEmbeddedElsewhere(headers)
    const own = [`http://${host}`, `https://${host}`].map((each) => each.toLowerCase())
    return isLoopbackOrigin(origin) || own.includes(origin.toLowerCase())
  }
}

/**
 * Whether a page of another site embeds the response, for example as an image: browsers send no Origin then
 * (Fetch Metadata Request Headers, sections 2.1 and 2.3). A link that opens as a page of its own is not meant.
 */
const isEmbeddedElsewhere = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document'

const describeOrigin = ({ headers: { origin } }: FastifyRequest): string =>
  origin === undefined ? 'embedded by a page of another site' : quote(origin)

/** Returns the name in a Host header without its port and the brackets of an IPv6 address. */
const parseHostName = (authority: string): string =>
  authority
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/** Whether a host names this computer alone: localhost, its subdomains, 127.0.0.0/8 and ::1. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether this computer serves the pages of an origin, as browsers send it (RFC 6454, section 6.2). */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { origin: serialized, protocol, hostname } = new URL(origin)
  return serialized === origin && /^https?:$/.test(protocol) && isLoopback(hostname)
}
