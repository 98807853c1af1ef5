import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { PageNotBuilt, RouteNotFound } from '../../errors.js'

/** The options of the page. */
export interface PageOptions {
  /** The folder of the bundled page. */
  readonly directory: string
}

/** Allows what this server sends, and pictures that the page draws. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The name of a bundled file, which has a hash of its content. */
const FILE_NAME = /^[\w-]+-[A-Z0-9]{8}\.(js|css)$/

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
])

/** Serves the page at `/`, and its files below `/ui`. Each request reads its file from disk. */
export async function page(app: FastifyInstance, { directory }: PageOptions): Promise<void> {
  const options = { config: { isPage: true } }

  app.get('/', options, async (request, reply) => {
    const html = await readIfExists(`${directory}/index.html`)
    if (html === undefined) throw new PageNotBuilt()
    const hash = createHash('sha256').update(html).digest('base64url')
    reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
    return sendTagged(request, reply, hash, html)
  })

  app.get<{ Params: { file: string } }>('/ui/:file', options, async (request, reply) => {
    const { file } = request.params
    const type = CONTENT_TYPES.get(FILE_NAME.exec(file)?.[1] ?? '')
    const content = type === undefined ? undefined : await readIfExists(`${directory}/${file}`)
    if (type === undefined || content === undefined) throw new RouteNotFound(`/ui/${file}`)
    reply.header('cache-control', 'public, max-age=31536000, immutable').type(type)
    return sendTagged(request, reply, file, content)
  })
}

/** Sends a file, or 304 if the client has it. */
function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  content: Buffer,
): FastifyReply {
  const etag = `"${tag}"`
  reply.header('x-content-type-options', 'nosniff').header('etag', etag)
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(content)
}

/** Reads a file. Returns undefined if there is none. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
