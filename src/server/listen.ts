import type { FastifyInstance } from 'fastify'

import { asError } from '@materials-mock/json'
import { OptionsInvalid } from '../errors.js'

/** The addresses of `localhost` (RFC 6761, section 6.3), whatever a resolver returns. */
const IPV4_LOOPBACK = '127.0.0.1'
const IPV6_LOOPBACK = '::1'

/**
 * Tries the scenarios first: a start that fails never listens. For `localhost` it listens on both
 * loopback addresses, because clients use either.
 * @returns `http://127.0.0.1:4000`, with a loopback address for all addresses
 * @throws OptionsInvalid, FixturesInvalid, with the server closed
 */
export async function listen(app: FastifyInstance): Promise<string> {
  try {
    await app.scenarios.check()
    return await open(app)
  } catch (error) {
    await app.close()
    throw error
  }
}

/** @throws OptionsInvalid */
async function open(app: FastifyInstance): Promise<string> {
  const { host, port, logFormat } = app.settings
  const isLocalhost = host === 'localhost'
  try {
    const url = await app.listen({
      host: isLocalhost ? IPV4_LOOPBACK : host,
      port,
      // In text format, the banner has the address; a line without a text is not shown.
      ...(logFormat === 'text' && { listenTextResolver: () => '' }),
    })
    if (isLocalhost) {
      await app
        .listenOnAddress(IPV6_LOOPBACK, Number(new URL(url).port))
        .catch(ignoreMissingAddress)
    }
    return url.replace('[::]', `[${IPV6_LOOPBACK}]`)
  } catch (error) {
    throw new OptionsInvalid(describeListenError(host, port, asError(error)))
  }
}

function ignoreMissingAddress(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}

function describeListenError(
  host: string,
  port: number,
  { code, message, address = host }: NodeJS.ErrnoException & { readonly address?: string },
): string {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken; give another --port, or 0 for a free port`
  if (code === 'EACCES')
    return `give a --port above 1023; port ${port} of ${address} may not be used`
  return `give another --host or --port; can't listen on ${host}, port ${port}: ${message}`
}
