import { EventEmitter } from 'events'
import statuses from 'statuses'

/** `node:http` for a browser: a server that `respond` gives its requests, and the rules of headers. */

export const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

export const STATUS_CODES: Readonly<Record<number, string | undefined>> = statuses.message

/** A server without a network, whose event `request` has a request and its response. */
export class Server extends EventEmitter {
  listening = true

  close(done?: () => void): this {
    this.listening = false
    queueMicrotask(() => done?.())
    return this
  }

  address(): null {
    return null
  }

  setTimeout(): this {
    return this
  }
}

export function createServer(_options: object, onRequest: (...args: unknown[]) => void): Server {
  const server = new Server()
  server.on('request', onRequest)
  return server
}

/** @throws TypeError for a name that is no token (RFC 9110, section 5.6.2) */
export function validateHeaderName(name: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new TypeError(`Header name must be a valid HTTP token [${JSON.stringify(name)}]`)
}

/** @throws TypeError for a value with characters that no header can have (RFC 9110, section 5.5) */
export function validateHeaderValue(name: string, value: string): void {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new TypeError(`Invalid character in header content [${JSON.stringify(name)}]`)
}
