import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { AdminForbidden } from '../errors.js'
import { quote } from '../json/quote.js'

/** What the local-only plugin is registered with. */
export interface LoopbackGuardOptions {
  /** The host that the server was told to listen on. */
  readonly host: string
}

/**
 * Lets only requests of this computer's own into a scope: the Host header is a loopback name or the
 * given host, so that no foreign name which was made to point here gets in (DNS rebinding), and a
 * page that asks is a loopback one too.
 */
async function loopbackGuard(app: FastifyInstance, { host }: LoopbackGuardOptions): Promise<void> {
  app.addHook('onRequest', async (request) => {
    const name = nameOf(request.headers.host ?? '')
    if (!isLoopback(name) && !isGivenHost(name, host, request)) {
      throw new AdminForbidden(
        `/__admin must be asked by a loopback name or the host that was given, not ${quote(name)}`,
      )
    }
    const { origin } = request.headers
    if (origin !== undefined && !isLoopbackOrigin(origin)) {
      throw new AdminForbidden(
        `/__admin must be asked by a page of a loopback origin, not ${quote(origin)}`,
      )
    }
  })
}

export default fp(loopbackGuard, { name: 'loopback-guard' })

/** Whether a host names this computer alone: localhost and what is below it, 127.0.0.0/8, ::1. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether a page of this origin (RFC 6454) is one that this computer serves. */
export const isLoopbackOrigin = (origin: string): boolean => {
  const authority = /^https?:\/\/([^/]*)$/i.exec(origin)?.[1]
  return authority !== undefined && isLoopback(nameOf(authority))
}

/** The name in a Host header: without a port, and without the brackets of an IPv6 address. */
const nameOf = (authority: string): string =>
  authority
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/** A host that stands for all addresses is whichever of them the request came to. */
function isGivenHost(name: string, host: string, { raw }: FastifyRequest): boolean {
  if (host === '0.0.0.0' || host === '::')
    return raw.socket.localAddress?.replace(/^::ffff:/, '') === name
  return name === host.toLowerCase()
}
