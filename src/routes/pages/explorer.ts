import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { FastifyInstance } from 'fastify'

import { RouteNotFound } from '../../errors.js'

/** The options of the explorer. */
export interface ExplorerOptions {
  /** The path of the OpenAPI document that it shows. */
  readonly documentPath: string
}

/** The content types of the served files: those of Swagger UI, and the script that starts it. */
const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['explorer.js', 'text/javascript; charset=utf-8'],
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
  { documentPath }: ExplorerOptions,
): Promise<void> {
  const options = { config: { isPage: true } }

  app.get('/explorer', options, async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
      })
      .type('text/html; charset=utf-8')
      .send(PAGE),
  )

  app.get<{ Params: { file: string } }>(
    '/explorer/:file',
    options,
    async ({ params: { file } }, reply) => {
      const type = CONTENT_TYPES.get(file)
      if (type === undefined) throw new RouteNotFound(`/explorer/${file}`)
      const content =
        file === 'explorer.js' ? explorerScript(documentPath) : await readFile(resolveAsset(file))
      return reply.header('x-content-type-options', 'nosniff').type(type).send(content)
    },
  )
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Materials platform API</title>
    <link rel="icon" type="image/png" href="/explorer/favicon-32x32.png" />
    <link rel="stylesheet" href="/explorer/swagger-ui.css" />
  </head>
  <body>
    <div id="explorer"></div>
    <script src="/explorer/swagger-ui-bundle.js"></script>
    <script src="/explorer/explorer.js"></script>
  </body>
</html>
`

/**
 * Returns the script that starts Swagger UI. Swagger UI offers a choice of a parameter's examples
 * only if they are beside its schema, which OpenAPI forbids for a parameter with JSON content. So
 * the script copies them there.
 */
const explorerScript = (documentPath: string): string => `const listOperations = (document) =>
  Object.values(document.paths).flatMap((path) => Object.values(path))

const copyExamples = (document) => {
  for (const { parameters = [] } of listOperations(document))
    for (const parameter of parameters) {
      const { examples } = parameter.content?.['application/json'] ?? {}
      if (examples) parameter.examples = examples
    }
  return document
}

const plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: { updateJsonSpec: (update) => (document) => update(copyExamples(document)) },
    },
  },
})

SwaggerUIBundle({
  dom_id: '#explorer',
  url: ${JSON.stringify(documentPath)},
  plugins: [plugin],
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** Resolves a file of the Swagger UI package. Its Fastify plugin would add 60 ms to each start. */
const resolveAsset = (file: string): string =>
  createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${file}`)
