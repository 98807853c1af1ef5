import type { FastifyInstance } from 'fastify'

import { OptionsInvalid } from './errors.js'

/** The two addresses that `localhost` is by RFC 6761, whatever a resolver says. */
const [IPV4, IPV6] = ['127.0.0.1', '::1']

/**
 * Makes a server listen as its settings say. `localhost` is both loopback addresses, where the
 * machine has both: clients take either.
 * @returns where: `http://127.0.0.1:4000`
 * @throws OptionsInvalid; the server is closed then
 */
export async function listen(app: FastifyInstance): Promise<string> {
  const { host, port } = app.settings
  const isLocalhost = host === 'localhost'
  try {
    const url = await app.listen({ host: isLocalhost ? IPV4 : host, port })
    if (isLocalhost) await app.listenOnAddress(IPV6, Number(new URL(url).port)).catch(unlessMissing)
    return url
  } catch (error) {
    await app.close()
    throw new OptionsInvalid(listenMessage(host, port, error as NodeJS.ErrnoException))
  }
}

/** A machine without IPv6 has one loopback address only. */
function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}

function listenMessage(host: string, port: number, error: NodeJS.ErrnoException): string {
  const { code, message, address = host } = error as NodeJS.ErrnoException & { address?: string }
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken; give another one, or 0 for a free one`
  if (code === 'EACCES') return `port ${port} of ${address} may not be used; give one above 1023`
  return `can't listen on ${host}, port ${port}: ${message}`
}
