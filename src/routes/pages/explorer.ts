import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { FastifyInstance } from 'fastify'

import { RouteNotFound } from '../../errors.js'

/** What the explorer's route is registered with. */
export interface ExplorerOptions {
  /** The path of the OpenAPI document that it shows. */
  readonly document: string
}

/** What Swagger UI is made of, and the one file that starts it. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['explorer.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

/** Nothing but what comes from this server; Swagger UI sets styles and has images of its own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Swagger UI at `/explorer`, from files on disk that are read when they are asked for. */
export async function explorer(app: FastifyInstance, { document }: ExplorerOptions): Promise<void> {
  app.get('/', async (_request, reply) => reply.redirect('/explorer'))

  app.get('/explorer', async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
      .type('text/html; charset=utf-8')
      .send(PAGE),
  )

  app.get<{ Params: { file: string } }>('/explorer/:file', async ({ params: { file } }, reply) => {
    const type = TYPES.get(file)
    if (type === undefined) throw new RouteNotFound(`/explorer/${file}`)
    const content = file === 'explorer.js' ? starterOf(document) : await readFile(pathOf(file))
    return reply.header('x-content-type-options', 'nosniff').type(type).send(content)
  })
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
 * Starts Swagger UI, with every operation ready to be tried. It offers a choice of the examples of
 * a parameter only where they are beside its schema, which OpenAPI forbids for a JSON parameter:
 * so they are shown there, too.
 */
const starterOf = (document: string): string => `const operationsOf = (document) =>
  Object.values(document.paths).flatMap((path) => Object.values(path))

const showExamples = (document) => {
  for (const { parameters = [] } of operationsOf(document))
    for (const parameter of parameters) {
      const { examples } = parameter.content?.['application/json'] ?? {}
      if (examples) parameter.examples = examples
    }
  return document
}

const plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: { updateJsonSpec: (update) => (document) => update(showExamples(document)) },
    },
  },
})

SwaggerUIBundle({
  dom_id: '#explorer',
  url: ${JSON.stringify(document)},
  plugins: [plugin],
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** Swagger UI's files, as the package brings them; its plugin would cost a start 60 ms. */
const pathOf = (file: string): string =>
  createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${file}`)
