import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyRequest } from 'fastify'

import { quote } from '@materials-mock/json'
import { AdminForbidden } from '../errors.js'

/** The names of a server, beside loopback names. */
export interface ServerNames {
  /** The address that it listens on. */
  readonly host: string
  /** Other names, separated by commas. `.dev.example` stands for this name and its subdomains. */
  readonly allowedHosts?: string | undefined
}

/**
 * Decides which requests name this server. The Host header must have a loopback name or a name of the server, which
 * protects against DNS rebinding. The Origin header, which browsers send for a page of another origin, must have a
 * loopback name, an allowed one, or the host of the Host header. Without an Origin, the request must not be for what
 * a page of another site embeds. A server that is given its requests has no names, and needs no guard.
 */
export class NameGuard {
  readonly #host: string
  readonly #allowedHosts: readonly string[]

  constructor({ host, allowedHosts }: ServerNames) {
    this.#host = host.toLowerCase()
    this.#allowedHosts = allowedHosts?.split(',').map(parseHostName) ?? []
  }

  /** Whether a request names this server, and no foreign page sends it. */
  allows(request: FastifyRequest): boolean {
    return this.#allowsHost(request) && this.#allowsPage(request)
  }

  /**
   * Refuses a request that names a foreign host, or that a foreign page sends.
   * @param path the path of the scope, for the messages: `/__admin`
   * @throws AdminForbidden
   */
  check(request: FastifyRequest, path: string): void {
    this.checkHost(request, path)
    if (this.#allowsPage(request)) return
    throw new AdminForbidden(
      `${path} must be requested by a page of a loopback name or of a name of --allowed-hosts, not ${describeOrigin(request)}`,
    )
  }

  /**
   * Refuses a request that names a foreign host.
   * @param target what is requested, for the message
   * @throws AdminForbidden
   */
  checkHost(request: FastifyRequest, target: string): void {
    if (this.#allowsHost(request)) return
    const name = quote(parseHostName(request.headers.host ?? ''))
    throw new AdminForbidden(
      `${target} must be requested by a loopback name, by --host or by a name of --allowed-hosts, not ${name}`,
    )
  }

  /** Whether pages of an origin, as browsers send it (RFC 6454, section 6.2), are of an allowed name. */
  readonly allowsOrigin = (origin: string): boolean => {
    if (!URL.canParse(origin)) return false
    const { origin: serialized, protocol, hostname } = new URL(origin)
    return (
      serialized === origin &&
      /^https?:$/.test(protocol) &&
      this.#allowsName(parseHostName(hostname))
    )
  }

  #allowsHost({ headers, raw }: FastifyRequest): boolean {
    const name = parseHostName(headers.host ?? '')
    if (this.#allowsName(name)) return true
    // A server that listens on all addresses is named by the address that the request came to.
    if (this.#host === '0.0.0.0' || this.#host === '::')
      return raw.socket.localAddress?.replace(/^::ffff:/, '') === name
    return name === this.#host
  }

  #allowsName(name: string): boolean {
    return (
      isLoopback(name) ||
      this.#allowedHosts.some((each) =>
        each.startsWith('.') ? `.${name}`.endsWith(each) : each === name,
      )
    )
  }

  /** A page of this server, whose origin has the host of its requests, may use the controls too. */
  #allowsPage({ headers }: FastifyRequest): boolean {
    const { origin, host } = headers
    if (origin === undefined) return !isEmbeddedElsewhere(headers)
    const own = [`http://${host}`, `https://${host}`].map((each) => each.toLowerCase())
    return this.allowsOrigin(origin) || own.includes(origin.toLowerCase())
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
