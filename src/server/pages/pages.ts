import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { asError } from '@materials-mock/json'
import { PageNotBuilt, RouteNotFound } from '../../errors.js'
import { acceptedEncoding, sendTagged, setEncoding } from '../../http/send-tagged.js'

export interface PagesOptions {
  /** The folder of the bundled pages, in which each file is beside its compressed forms. */
  readonly directory: string
}

/** A Content-Security-Policy that allows what this server sends, and pictures that a page draws. */
const formatPolicy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The pages: their paths, their files and their policies. Swagger UI needs inline styles. */
const PAGES = [
  ['/', 'index.html', formatPolicy("'self'")],
  ['/explorer', 'explorer.html', formatPolicy("'self' 'unsafe-inline'")],
] as const

/** The name of a bundled file, which has a hash of its content. */
const FILE_NAME = /^[\w-]+-[A-Z0-9]{8}\.(js|css)$/

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
])

/** `/`, `/explorer` and their files below `/ui`, from the disk. A sandbox leads to its data. */
export async function pages(app: FastifyInstance, { directory }: PagesOptions): Promise<void> {
  const options = { config: { isPage: true } }

  for (const [path, file, policy] of PAGES) {
    app.get(path, options, async (request, reply) => {
      // The addresses of its files are relative.
      if (request.url.startsWith(`${path}/`))
        return reply.redirect(`..${request.url.replace('/?', '?').replace(/\/$/, '')}`)
      const html = await readEncoded(request, reply, `${directory}/${file}`)
      if (html === undefined) throw new PageNotBuilt()
      reply
        .header('content-security-policy', policy)
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
      const hash = createHash('sha256').update(html).digest('base64url')
      return sendTagged(request, reply, hash, html)
    })
  }

  app.get<{ Params: { file: string } }>('/ui/:file', options, async (request, reply) => {
    const { file } = request.params
    const type = CONTENT_TYPES.get(FILE_NAME.exec(file)?.[1] ?? '')
    const content =
      type === undefined ? undefined : await readEncoded(request, reply, `${directory}/${file}`)
    if (type === undefined || content === undefined) throw new RouteNotFound(`/ui/${file}`)
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .type(type)
    return sendTagged(request, reply, file, content)
  })

  app.get<{ Params: { name: string } }>('/sandboxes/:name', options, async ({ params }, reply) =>
    reply.redirect(`/?sandbox=${encodeURIComponent(params.name)}`),
  )
}

const ENDINGS = { br: '.br', gzip: '.gz', identity: '' }

/** The best form that the client accepts and that is there; undefined without such a file. */
async function readEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<Buffer | undefined> {
  for (const encoding of new Set([acceptedEncoding(request), 'identity'] as const)) {
    try {
      const content = await readFile(path + ENDINGS[encoding])
      setEncoding(reply, encoding)
      return content
    } catch (error) {
      if (asError(error).code !== 'ENOENT') throw error
    }
  }
  return undefined
}
