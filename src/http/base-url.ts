import type { IncomingHttpHeaders } from 'node:http'
import type { TLSSocket } from 'node:tls'

import type { FastifyRequest } from 'fastify'

/** Returns the URL of a request's server or sandbox, which paths such as `/api` follow. */
export function toBaseUrl({
  server,
  headers,
  socket,
  sandboxPath,
}: Pick<FastifyRequest, 'server' | 'headers' | 'socket' | 'sandboxPath'>): string {
  if (server.baseUrl !== undefined) return server.baseUrl + sandboxPath
  const { encrypted = Boolean(server.initialConfig.https), localPort } =
    socket as Partial<TLSSocket>
  const own = {
    proto: encrypted ? 'https' : 'http',
    host: headers.host ?? `localhost:${localPort}`,
  }
  const forwarded = readForwarded(headers)
  const isAllowed = forwarded.host === undefined || server.callers.allowsHost(forwarded.host)
  const { proto, host } = isAllowed ? { ...own, ...forwarded } : own
  return `${proto}://${host}${sandboxPath}`
}

/** Of `Forwarded` (RFC 7239), or else `X-Forwarded-*`, the first proxy: the client called it. */
function readForwarded(headers: IncomingHttpHeaders): { proto?: string; host?: string } {
  const pairs = readFirst(headers.forwarded).split(';').map(toPair)
  const standard = new Map(pairs)
  const given = standard.get('proto') ?? readFirst(headers['x-forwarded-proto'])
  const proto = given.toLowerCase()
  const host = standard.get('host') ?? readFirst(headers['x-forwarded-host'])
  return {
    ...(/^https?$/.test(proto) && { proto }),
    ...(host !== '' && { host }),
  }
}

const readFirst = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',')[0]
    ?.trim() ?? ''

function toPair(pair: string): [name: string, value: string] {
  const [name = '', value = ''] = pair.split('=')
  return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')]
}
