import type { FastifyInstance } from 'fastify'

import { PageNotBuilt, RouteNotFound } from '../../errors.js'
import { readIfExists } from './page.js'

/** The options of the explorer. */
export interface ExplorerOptions {
  /** The folder with the files of the explorer. */
  readonly directory: string
}

/** The content types of the served files. */
const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['explorer.js', 'text/javascript; charset=utf-8'],
  ['explorer.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

/** Allows resources of this server only. Swagger UI needs inline styles and images in its CSS. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves Swagger UI at `/explorer`. Each request reads its file from disk. */
export async function explorer(
  app: FastifyInstance,
  { directory }: ExplorerOptions,
): Promise<void> {
  const options = { config: { isPage: true } }

  app.get('/explorer', options, async (_request, reply) => {
    const html = await readIfExists(`${directory}/index.html`)
    if (html === undefined) throw new PageNotBuilt()
    reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
    return html
  })

  app.get<{ Params: { file: string } }>('/explorer/:file', options, async (request, reply) => {
    const { file } = request.params
    const type = CONTENT_TYPES.get(file)
    const content = type === undefined ? undefined : await readIfExists(`${directory}/${file}`)
    if (type === undefined || content === undefined) throw new RouteNotFound(`/explorer/${file}`)
    reply.header('x-content-type-options', 'nosniff').type(type)
    return content
  })
}
