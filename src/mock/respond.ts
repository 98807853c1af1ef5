import { once } from 'node:events'
import { METHODS, STATUS_CODES } from 'node:http'
import { Readable, Writable } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { asError } from '@materials-mock/json'
import { EMPTY_STATUSES } from '../controls/faults/compile-outcome.js'
import { RequestMalformed } from '../errors.js'
import { JSON_TYPE, failureText } from '../http/envelope.js'
import { findFetchGlobals } from './members.js'

/** The connection of one request, which the client of `respond` ends. */
class Connection {
  readonly remoteAddress = '127.0.0.1'
  readonly localAddress = '127.0.0.1'
  destroyed = false

  /** @param encrypted whether the URL of the request begins with `https:`, as in a `TLSSocket` */
  constructor(readonly encrypted: boolean) {}

  on(): this {
    return this
  }
}

type IncomingMessage = ReturnType<typeof toMessage>

/** Returns a request in the form of `http.IncomingMessage`. */
function toMessage(request: Pick<Request, 'url' | 'method' | 'headers'>, body: Uint8Array) {
  const { protocol, pathname, search, host } = new URL(request.url)
  const headers: Record<string, string> = { host }
  // The names in lower case, as Node has them: happy-dom leaves them as they were given.
  for (const [name, value] of request.headers) headers[name.toLowerCase()] = value
  if (body.length > 0 || request.method.startsWith('P'))
    headers['content-length'] = `${body.length}`
  const message = Object.assign(new Readable({ read: () => undefined }), {
    httpVersion: '1.1',
    httpVersionMajor: 1,
    complete: true,
    aborted: false,
    method: request.method,
    url: pathname + search,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: new Connection(protocol === 'https:'),
  })
  if (body.length > 0) message.push(Buffer.from(body))
  message.push(null)
  return message
}

type HeaderValue = number | string | readonly string[]

class ServerResponse extends Writable {
  statusCode = 200
  statusMessage = ''
  headersSent = false
  readonly req: IncomingMessage
  readonly #headers = new Map<string, HeaderValue>()
  readonly #begin: (response: Response) => void
  /** Takes the chunks of the body; undefined before the headers are sent. */
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Goes on after the reader has taken a chunk. */
  #goOn: (() => void) | undefined

  /** @param begin is called with the response when its headers are sent */
  constructor(req: IncomingMessage, begin: (response: Response) => void) {
    super({ highWaterMark: 64 * 1024 })
    this.req = req
    this.#begin = begin
  }

  get socket(): Connection {
    return this.req.socket
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#headers.set(name.toLowerCase(), value)
    return this
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name.toLowerCase())
  }

  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries(this.#headers)
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase())
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase())
  }

  writeHead(statusCode: number, headers: Readonly<Record<string, HeaderValue | undefined>> = {}) {
    this.statusCode = statusCode
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) this.setHeader(name, value)
    this.flushHeaders()
    return this
  }

  /** Sends the headers: the promise of `respond` has its response from now on. */
  flushHeaders(): void {
    if (this.headersSent) return
    const { Headers, ReadableStream, Response } = findFetchGlobals()
    const headers = new Headers()
    for (const [name, value] of this.#headers)
      for (const each of [value].flat()) headers.append(name, String(each))
    if (!headers.has('date')) headers.set('date', new Date().toUTCString())
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#body = controller
      },
      pull: () => this.#goOn?.(),
      cancel: async () => {
        this.hangUp()
        await once(this, 'close')
      },
    })
    const { statusCode: status, statusMessage } = this
    const hasNoBody = this.req.method === 'HEAD' || EMPTY_STATUSES.has(status)
    const statusText = statusMessage || (STATUS_CODES[status] ?? '')
    const response = new Response(hasNoBody ? null : body, { status, statusText, headers })
    this.headersSent = true
    this.#begin(response)
  }

  /** Ends the connection: nobody waits for the response any more. */
  hangUp(reason?: Error): void {
    this.socket.destroyed = true
    this.req.destroy()
    this.destroy(reason)
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.flushHeaders()
    this.#body?.enqueue(new Uint8Array(chunk))
    if (this.#body === undefined || (this.#body.desiredSize ?? 1) > 0) return done()
    this.#goOn = () => {
      this.#goOn = undefined
      done()
    }
  }

  override _final(done: () => void): void {
    this.flushHeaders()
    this.#body?.close()
    this.#body = undefined
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroyed = true
    this.#body?.error(error ?? new TypeError('terminated'))
    this.#body = undefined
    done(error)
  }
}

/**
 * Gives a request of the Fetch standard (https://fetch.spec.whatwg.org) to a server without using the network, and
 * returns the response as `fetch` would, as soon as its headers are known.
 * @throws TypeError for a dropped connection and for a closed server, as `fetch` does
 * @throws the reason of the request's signal for an aborted request
 */
export async function respond({ server }: FastifyInstance, request: Request): Promise<Response> {
  const { url, method, headers, signal } = request // before its body: Bun forgets the type of a form that is read
  const body = new Uint8Array(await request.arrayBuffer())
  signal.throwIfAborted()
  if (!server.listening)
    throw new TypeError('fetch failed', { cause: new Error('the mock is closed') })
  if (!METHODS.includes(method)) return refuseMethod(method)
  return new Promise((resolve, reject) => {
    const message = toMessage({ url, method, headers }, body)
    const response = new ServerResponse(message, resolve)
    const abort = (): void => {
      reject(signal.reason) // as fetch does, whatever it is
      response.hangUp(asError(signal.reason))
    }
    signal.addEventListener('abort', abort, { once: true })
    for (const stream of [message, response]) stream.on('error', () => undefined)
    response.on('close', () => {
      signal.removeEventListener('abort', abort)
      reject(new TypeError('fetch failed'))
    })
    server.emit('request', message, response)
  })
}

/** Refuses a method that Node's parser would refuse: only the names of a few methods may be in small letters. */
function refuseMethod(method: string): Response {
  const right = METHODS.find((each) => each === method.toUpperCase()) ?? 'PATCH'
  const error = new RequestMalformed(
    `the method must be one of this server's, in capitals, such as ${right}, not ${method}`,
  )
  const { Response } = findFetchGlobals()
  return new Response(failureText(error), { status: 400, headers: { 'Content-Type': JSON_TYPE } })
}
