import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

import { quote } from '@materials-mock/json'
import { CallerForbidden, OptionsInvalid } from '../errors.js'
import { isWithin } from './request-target.js'

export interface CallerOptions {
  /** The address that it listens on. */
  readonly host: string
  /** Other names of it, separated by commas. `.dev.example` stands for this name and its subdomains. */
  readonly allowedHosts?: string | undefined
  readonly cors: boolean
  readonly corsOrigin?: string | undefined
}

export type Call = Pick<FastifyRequest, 'method' | 'url' | 'headers'>

export const CALLER_FORBIDDEN_EXAMPLE = new CallerForbidden(
  'this server must be called by a loopback name, an IP address, --host or a name of --allowed-hosts, not "evil.example"',
)

type Log = Pick<FastifyBaseLogger, 'warn'>

/** The own pages of a server, which a link may open: `/`, `/explorer`, their files, and the page of a sandbox. */
const OWN_PAGE = /^\/(?:explorer\/?|ui\/[^/]*|sandboxes\/[^/]+\/?)?$/

/** The most callers that a server names in its log. */
const MAX_REPORTED = 20

/**
 * The one rule of who may call a server that listens, for all its paths.
 *
 * By what name: the Host header must name this computer, an IP address, `--host`, or a name of `--allowed-hosts`. A
 * website that lets its own name resolve to this address (DNS rebinding) gets nothing.
 *
 * From which page: a browser tells by Origin, Sec-Fetch-Site and Referer, which no page can forge (Fetch, section
 * 2.2.2). A page of another origin must be of this computer, of the same host, or of a name of `--allowed-hosts`, or of
 * `--cors-origin`, if it is given. This holds for requests that need no preflight, too: forms, images and beacons. A
 * request that says nothing of a page comes from a program, and is let in. If a browser sends it, any page may have.
 */
export class Callers {
  readonly #host: string
  readonly #allowedHosts: readonly string[]
  /** The allowed origins; undefined for those of the allowed names. */
  readonly #origins: ReadonlySet<string> | undefined
  readonly #isOpen: boolean
  /** The last Host header that was allowed: most requests have the same. */
  #lastHost: string | undefined
  readonly #reported = new Set<string>()

  /** @throws OptionsInvalid for an origin that no browser sends, such as one with a default port */
  constructor({ host, allowedHosts, cors, corsOrigin }: CallerOptions) {
    this.#host = host.toLowerCase()
    this.#allowedHosts = allowedHosts?.toLowerCase().split(',') ?? []
    this.#isOpen = corsOrigin === '*'
    if (!cors) this.#origins = new Set()
    else if (corsOrigin !== undefined && !this.#isOpen) this.#origins = parseOrigins(corsOrigin)
  }

  /**
   * @returns whether any page may have sent it
   * @throws CallerForbidden, naming the option that lets it in
   */
  admit({ method, url, headers }: Call, log?: Log): boolean {
    const { host } = headers
    if (host !== undefined && host !== this.#lastHost) {
      if (!this.allowsHost(host)) throw this.#refuseHost(host, log)
      this.#lastHost = host
    }
    const page = findForeignPage(headers)
    if (page === undefined) return isUntold(headers)
    if (this.#allowsOrigin(page, host)) return false
    if (this.#isOpen && (isWithin(url, '/api') || isWithin(url, '/storage'))) return true
    const isSilent = headers.origin === undefined && (method === 'GET' || method === 'HEAD')
    if (isSilent && (isWithin(url, '/storage') || OWN_PAGE.test(url.split('?')[0] ?? '')))
      return false
    throw this.#refusePage(page, log)
  }

  /** Whether a Host header, or another host with a port, names this server. */
  allowsHost(host: string): boolean {
    const name = parseName(host)
    return (
      name !== undefined &&
      (isLoopback(name) || isAddress(name) || name === this.#host || this.#isNamed(name))
    )
  }

  #isNamed(name: string): boolean {
    return this.#allowedHosts.some((each) =>
      each.startsWith('.') ? `.${name}`.endsWith(each) : each === name,
    )
  }

  /** Whether pages of an origin, as browsers send it (RFC 6454, section 6.2), may call a server by a host. */
  #allowsOrigin(origin: string, host: string | undefined): boolean {
    if (this.#origins !== undefined) return this.#origins.has(origin)
    if (!/^https?:/.test(origin) || !isOrigin(origin)) return false
    const name = parseName(origin.slice(origin.indexOf('//') + 2))
    if (name === undefined) return false
    return isLoopback(name) || this.#isNamed(name) || name === parseName(host ?? '')
  }

  #refuseHost(host: string, log: Log | undefined): Error {
    const name = parseName(host) ?? host
    const remedy = `--allowed-hosts ${/^[\w.-]+$/.test(name) ? name : 'NAME'} lets it in`
    this.#report(log, `a request by the name ${quote(name)} was refused; ${remedy}`)
    return new CallerForbidden(
      `this server must be called by a loopback name, an IP address, --host or a name of --allowed-hosts, not ${quote(name)}`,
    )
  }

  #refusePage(page: string, log: Log | undefined): Error {
    const isKnown = page !== UNKNOWN_PAGE
    const whose = isKnown ? `of ${quote(page)}` : 'of another site'
    const remedy = isOrigin(page)
      ? `--cors-origin ${page} lets it in`
      : "--cors-origin '*' opens /api and /storage to all pages"
    this.#report(log, `a request of a page ${whose} was refused; ${remedy}`)
    return new CallerForbidden(
      `a page that calls this server must be of this computer, of the same host, of a name of --allowed-hosts or of --cors-origin, not ${whose}`,
    )
  }

  #report(log: Log | undefined, line: string): void {
    if (log === undefined || this.#reported.has(line) || this.#reported.size === MAX_REPORTED)
      return
    this.#reported.add(line)
    log.warn(line)
  }
}

const UNKNOWN_PAGE = 'unknown'

/**
 * The origin of the page of a request of another origin (Fetch Metadata Request Headers, section
 * 2.3); GET requests have a Referer in place of Origin, unless the page forbids it.
 */
function findForeignPage(headers: IncomingHttpHeaders): string | undefined {
  const { origin, host, referer, 'sec-fetch-site': site } = headers
  if (site === 'same-origin' || site === 'none') return undefined
  if (origin === undefined && site === undefined && referer === undefined) return undefined
  const page = origin ?? (URL.canParse(referer ?? '') ? new URL(referer ?? '').origin : undefined)
  if (page !== undefined) return isOwnOrigin(page, host) ? undefined : page
  // On one host, another port is the same site.
  if (site === undefined || (site === 'same-site' && isPlainHost(host ?? ''))) return undefined
  return UNKNOWN_PAGE
}

/**
 * Whether a browser sends a request and does not tell for which page. By http, it sends Sec-Fetch-Site to this computer
 * alone, by a loopback name (Fetch Metadata Request Headers, section 2). An image without a Referer by another name, such
 * as `0.0.0.0`, then looks like a request of a program. It can't have the headers of the API or of the mock's page.
 */
const isUntold = (headers: IncomingHttpHeaders): boolean =>
  headers['user-agent']?.startsWith('Mozilla/') === true &&
  [...PAGE_HEADERS, ...ASKED_HEADERS].every((name) => headers[name] === undefined)

const PAGE_HEADERS = ['origin', 'referer', 'sec-fetch-site']

/** Headers with which the page of another origin has to ask first, so that its requests have an Origin. */
const ASKED_HEADERS = ['authorization', 'x-account-id', 'x-auth-token', 'x-mock-page']

const isOwnOrigin = (origin: string, host = ''): boolean => {
  const own = host.toLowerCase()
  return origin === `http://${own}` || origin === `https://${own}`
}

/** Whether pages of the same site as a host are of the same computer: it has no subdomains of others. */
function isPlainHost(host: string): boolean {
  const name = parseName(host)
  return name !== undefined && (isLoopback(name) || isAddress(name))
}

/** Returns the name of a host as the URL standard parses it, without its port and a final dot; undefined for no host. */
function parseName(host: string): string | undefined {
  if (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

const isAddress = (name: string): boolean =>
  name.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)

/**
 * `localhost`, its subdomains, 127.0.0.0/8 and ::1.
 * @param host as `--host` and URLs have it
 */
export function isLoopback(host: string): boolean {
  const name = parseName(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
  return (
    name !== undefined &&
    (name === '[::1]' || /(?:^|\.)localhost$/.test(name) || /^127\.[\d.]+$/.test(name))
  )
}

/** Whether a text is an origin as browsers send it: of a page, or of an app such as `capacitor://localhost`. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return /^https?:$/.test(protocol) ? origin === text : /^[a-z][\w+.-]*:\/\/[\w.:-]+$/.test(text)
}

function parseOrigins(list: string): ReadonlySet<string> {
  const origins = list.split(',')
  for (const origin of origins) {
    if (origin !== 'null' && !isOrigin(origin)) {
      throw new OptionsInvalid(
        `corsOrigin must have origins as browsers send them, such as "http://localhost:3000", or "*" for all, not ${quote(origin)}`,
      )
    }
  }
  return new Set(origins)
}
