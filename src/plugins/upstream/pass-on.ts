import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { UpstreamFailed } from '../../errors.js'
import { HOPS_HEADER, toRequestHeaders, toResponseHeaders } from './upstream-headers.js'

/** An answer of the deployment to a request that was passed on. */
export interface UpstreamAnswer {
  /** The path and the parameters of the request. */
  readonly url: string
  /** The token of the request, which must not be recorded. */
  readonly token: string | undefined
  readonly body: Buffer
}

/** The options of what passes requests on. */
export interface PassOnOptions {
  /** The URL of the deployment. A versioned root stands for its server. */
  readonly upstream: string
  /** Called with the body of each successful answer of JSON to a GET. */
  readonly onAnswer?: ((answer: UpstreamAnswer) => void) | undefined
}

/** Answers a request with what the deployment answers. */
export type PassOn = (request: FastifyRequest, reply: FastifyReply) => void

/** The header of a response that says which deployment has sent it. */
export const UPSTREAM_HEADER = 'x-materials-mock-upstream'

/** The time in ms that the deployment may be silent. */
const TIMEOUT = 30_000

/** The largest answer that is recorded, in bytes. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024

/**
 * Creates what passes requests on to a deployment: method, path, body and headers as they are, the
 * credentials too, but for the headers of one connection. A request that comes back is refused.
 */
export function createPassOn({ upstream, onAnswer }: PassOnOptions): PassOn {
  const root = new URL(upstream)
  const origin = `${root.origin}${toPrefix(root)}`
  const sendRequest = root.protocol === 'https:' ? httpsRequest : httpRequest
  const id = randomUUID()

  return (request, reply) => {
    const { raw, method } = request
    const hops = String(raw.headers[HOPS_HEADER] ?? '')
    if (request.journalRecord !== undefined) request.journalRecord.upstream = origin
    reply.header(UPSTREAM_HEADER, origin)
    const fail = (reason: string): void => {
      if (!reply.sent) void reply.send(new UpstreamFailed(origin, reason))
    }
    if (hops.includes(id)) return fail('it passes the request back to this server')

    const outgoing = sendRequest(origin + (raw.url ?? ''), {
      method,
      headers: toRequestHeaders(raw.headers, hops === '' ? id : `${hops},${id}`),
      timeout: TIMEOUT,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`it was silent for ${TIMEOUT} ms`)))
    outgoing.on('error', (error) => fail(describeError(error)))
    outgoing.on('response', (response) => {
      reply.code(response.statusCode ?? 502).headers(toResponseHeaders(response.headers))
      void reply.send(onAnswer === undefined ? response : tee(request, response, onAnswer))
    })
    reply.raw.once('close', () => outgoing.destroy())
    raw.on('error', () => outgoing.destroy()).pipe(outgoing)
  }
}

/** Returns the path of a server's root: that of a versioned root without `/api/2018-10-01`. */
const toPrefix = ({ pathname }: URL): string =>
  pathname.replace(/\/api\/\d{4}-\d\d-\d\d\/*$/, '').replace(/\/+$/, '')

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
}

function describeError(error: NodeJS.ErrnoException): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : []
  const { code = '', message } = first as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** Returns the same response, and passes its body on if it is JSON that may be recorded. */
function tee(
  { method, raw }: FastifyRequest,
  response: IncomingMessage,
  onAnswer: (answer: UpstreamAnswer) => void,
): Readable {
  const isJson = /^application\/json\b/i.test(response.headers['content-type'] ?? '')
  if (method !== 'GET' || response.statusCode !== 200 || !isJson) return response
  const { url = '', headers } = raw
  const token = headers['x-auth-token']
  const chunks: Buffer[] = []
  let size = 0
  const copy = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= MAX_RECORDED_BYTES) chunks.push(chunk)
      done(null, chunk)
    },
    flush(done) {
      if (size <= MAX_RECORDED_BYTES)
        onAnswer({ url, token: token?.toString(), body: Buffer.concat(chunks) })
      done()
    },
  })
  response.on('error', (error) => copy.destroy(error))
  return response.pipe(copy)
}
