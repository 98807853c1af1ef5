import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PassThrough, Transform } from 'node:stream'
import { urlToHttpOptions } from 'node:url'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { describeNetworkError, findProxy } from '@materials-mock/network'
import { listHeaderSecrets } from '@materials-mock/json'
import { UpstreamFailed } from '../../errors.js'
import type { RecordableAnswer } from '../../fixtures/answer-recorder.js'
import {
  HOPS_HEADER,
  describeUnsendable,
  toRequestHeaders,
  toResponseHeaders,
  UPSTREAM_HEADER,
} from './upstream-headers.js'

export interface PassOnOptions {
  /** The URL of the deployment. A versioned root stands for its server. */
  readonly upstream: string
  /** Called with the body of each successful answer of JSON to a GET, of which the client gets the end afterwards. Never rejects. */
  readonly onAnswer?: OnAnswer | undefined
  /** The time in ms that the deployment may be silent. */
  readonly timeoutMs?: number
}

type OnAnswer = (answer: RecordableAnswer) => Promise<void>

/**
 * False if it may not be passed on: a path of the mock's, or `--cors-origin '*'` alone lets it in.
 */
export type PassOn = (request: FastifyRequest, reply: FastifyReply) => boolean

const TIMEOUT = 30_000

/** Headers stay, credentials included, but those of one connection. What comes back is refused. */
export function createPassOn({ upstream, onAnswer, timeoutMs = TIMEOUT }: PassOnOptions): PassOn {
  const root = new URL(upstream)
  const prefix = toPrefix(root)
  const origin = `${root.origin}${prefix}`
  const sendRequest = root.protocol === 'https:' ? httpsRequest : httpRequest
  const id = randomUUID()
  const proxy = findProxy(root)
  const withProxy = (error: Error): Error => Object.assign(error, proxy && { proxy: proxy.name })

  return (request, reply) => {
    if (request.isFromAnyPage || !isPassable(request.url)) return false
    send(request, reply)
    return true
  }

  function send(request: FastifyRequest, reply: FastifyReply): void {
    const { raw, method } = request
    const hops = String(raw.headers[HOPS_HEADER] ?? '')
    if (request.journalRecord !== undefined) request.journalRecord.upstream = origin
    reply.header(UPSTREAM_HEADER, origin)
    let isAnswered = false
    const fail = (reason: string): void => {
      if (!isAnswered && !reply.sent) void reply.send(new UpstreamFailed(origin, reason))
    }
    if (hops.includes(id)) return fail('it passes the request back to this server')

    const outgoing = sendRequest({
      ...urlToHttpOptions(root),
      agent: proxy?.agent ?? false, // a connection that is used again may be closed by the deployment at that moment
      path: prefix + request.url,
      method,
      headers: toRequestHeaders(raw.headers, hops === '' ? id : `${hops},${id}`),
      timeout: timeoutMs,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`it was silent for ${timeoutMs} ms`)))
    outgoing.on('error', (error) => fail(describeNetworkError(withProxy(error))))
    outgoing.on('proxyConnect', ({ statusCode = 200 }: { readonly statusCode?: number }) => {
      if (statusCode !== 200) outgoing.destroy(new Error(`it refuses CONNECT with ${statusCode}`))
    })
    outgoing.on('close', () => fail('it closed the connection'))
    outgoing.on('response', (response) => {
      const problem =
        proxy !== undefined && response.statusCode === 407
          ? 'it asks for credentials (407)'
          : describeUnsendable(response)
      if (problem !== undefined) return void outgoing.destroy(new Error(problem))
      isAnswered = true // though a fault may hold the response back until it has arrived
      const vary = [reply.getHeader('vary'), response.headers.vary]
        .flatMap((each) => each ?? [])
        .flatMap((each) => String(each).split(/,\s*/))
      reply.code(response.statusCode!).headers(toResponseHeaders(response.headers))
      if (vary.length > 0) reply.header('vary', [...new Set(vary)].join(', '))
      // Fastify sends the error of a body of which nothing is sent yet.
      const body =
        onAnswer !== undefined && isRecordable(raw, response)
          ? createRecordedBody(raw, response, onAnswer)
          : new PassThrough()
      response.on('error', (error) =>
        body.destroy(new UpstreamFailed(origin, describeNetworkError(error))),
      )
      void reply.send(response.pipe(body))
    })
    reply.raw.once('close', () => outgoing.destroy())
    if (request.keptBody === undefined) raw.on('error', () => outgoing.destroy()).pipe(outgoing)
    else void sendKeptBody(request, reply, outgoing)
  }
}

/** Sends the body that was read before a fault could apply. */
async function sendKeptBody(
  request: FastifyRequest,
  reply: FastifyReply,
  outgoing: ClientRequest,
): Promise<void> {
  try {
    outgoing.end(await request.takeBody())
  } catch (error) {
    void reply.send(error)
    outgoing.destroy()
  }
}

/** The first segments of paths that belong to the mock in every spelling. */
const OWN_SEGMENTS: ReadonlySet<string> = new Set(['oidc', 'sandboxes'])

/**
 * Whether a path may be passed on. A path of the controls or of sign-in may not, nor a path that leaves the root of
 * the deployment. The path is also read as a server would that decodes more than it should, or merges slashes.
 */
function isPassable(url: string): boolean {
  const [path = ''] = url.split('?')
  const segments = decodeURIComponent(path)
    .split(/[/\\]+/)
    .filter((each) => each !== '' && each !== '.')
  if (OWN_SEGMENTS.has(segments[0]?.toLowerCase() ?? '')) return false
  return !segments.some((each) => each.toLowerCase() === '__admin' || each === '..')
}

/** Returns the path of a server's root: the path of the URL without a trailing `/api/2018-10-01`. */
const toPrefix = ({ pathname }: URL): string =>
  pathname.replace(/\/api\/\d{4}-\d\d-\d\d\/*$/, '').replace(/(?<!\/)\/+$/, '')

/** The largest answer that is recorded, in bytes. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024

const isRecordable = ({ method }: IncomingMessage, { statusCode, headers }: IncomingMessage) =>
  method === 'GET' &&
  statusCode === 200 &&
  /^application\/json\b/i.test(headers['content-type'] ?? '')

/**
 * Returns a stream that passes the body of a response on. The last piece waits for `onAnswer`: who has the whole answer
 * can rely on its record.
 */
function createRecordedBody(
  request: IncomingMessage,
  response: IncomingMessage,
  onAnswer: OnAnswer,
): Transform {
  const chunks: Buffer[] = []
  let size = 0
  let last: Buffer | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= MAX_RECORDED_BYTES) chunks.push(chunk)
      else chunks.length = 0
      const passed = last
      last = chunk
      done(null, passed)
    },
    async flush(done) {
      const headers = [request, response].flatMap((message) => Object.entries(message.headers))
      const { url = '' } = request
      if (size <= MAX_RECORDED_BYTES)
        await onAnswer({ url, secrets: listHeaderSecrets(headers), body: Buffer.concat(chunks) })
      done(null, last)
    },
  })
}
