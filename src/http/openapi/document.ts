import type { Work } from '@materials-mock/work'
import frames from './frames.json' with { type: 'json' }
import { collectExamples } from './examples.js'
import type { DocumentExamples, DocumentedItems } from './examples.js'
import { toOperationObject } from './operation.js'
import type { Components, SharedFailures } from './operation.js'
import type { OperationSchema } from './responses.js'

export interface DocumentedRoute {
  /** The whole path, in Fastify's syntax: `/api/2018-10-01/materials/:id`. */
  readonly path: string
  readonly methods: readonly string[]
  readonly schema: OperationSchema
}

export interface DocumentedServer {
  /** The URL of the server or of a sandbox: `http://localhost:4000`. */
  readonly origin: string
  /** The path that the document's paths are relative to: `/api/2018-10-01`. */
  readonly basePath: string
}

export interface DocumentFrame {
  readonly info: object
  readonly security: readonly object[]
  readonly securitySchemes?: object
}

/** The path of a route outside the base path is complete, and the route has its own server. */
export function* createDocument(
  routes: readonly DocumentedRoute[],
  { origin, basePath }: DocumentedServer,
  { info, security, securitySchemes }: DocumentFrame,
  items: DocumentedItems,
): Work<object> {
  const components: Components = {}
  const failures: SharedFailures = new Map()
  const paths: Record<string, Record<string, object>> = {}
  const byTag = new Map<string, DocumentExamples>()
  for (const { path, methods, schema } of routes) {
    const [tag = ''] = schema.tags
    const examples = byTag.get(tag) ?? collectExamples(tag, items)
    byTag.set(tag, examples)
    const context = { components, failures, examples }
    const isBelowBase = path.startsWith(`${basePath}/`)
    const shownPath = isBelowBase ? path.slice(basePath.length) : path
    const operations = (paths[shownPath.replace(/:(\w+)/g, '{$1}')] ??= {})
    for (const method of methods) {
      operations[method.toLowerCase()] = {
        ...toOperationObject(schema, { ...context, hasFaults: path.startsWith('/api/') }),
        ...(!isBelowBase && { servers: [{ url: origin, description: 'The root of this server' }] }),
      }
    }
    yield 'writing the response'
  }
  return {
    openapi: '3.1.1',
    info: { ...info, ...frames.about },
    servers: [{ url: origin + basePath, description: 'This server' }],
    security,
    tags: listTags(routes),
    paths,
    components: {
      schemas: components,
      responses: Object.fromEntries(
        [...failures.values()].map(({ name, response }) => [name, response]),
      ),
      ...(securitySchemes && { securitySchemes, parameters: { Prefer: frames.prefer } }),
    },
  }
}

/** The tags of the resources first, and those of the platform before those of fixtures. */
function listTags(routes: readonly DocumentedRoute[]): object[] {
  const used = new Set(routes.flatMap(({ schema }) => schema.tags))
  const ofFixtures = [...used]
    .filter((name) => !Object.hasOwn(frames.resources, name) && !Object.hasOwn(frames.tags, name))
    .map((name) => [name, `The resource /${name}`] as const)
  return [...Object.entries(frames.resources), ...ofFixtures, ...Object.entries(frames.tags)]
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
